// Tell the server which of the page's sections are in the window, when that changes; and, when a
// section that is out of date comes into view or the reader pauses, that it is wanted anew.

const SETTLED = 120; // ms without scrolling
const PAUSE = 600; // ms without a change of settings
const CALM = 500; // ms without a key or a click
const RUNNING = '[data-testid="stApp"]:not([data-test-script-state="notRunning"])';
const SHOWING = 96; // px of a section in the window that make it count as in view

const STIRRING = ["keydown", "pointerdown", "pointerup"];

const watchers = new WeakMap();

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".xl-parts");
  if (!watchers.has(root)) watchers.set(root, new Watcher(root));
  const watcher = watchers.get(root);
  watcher.update(data, setStateValue);
  return () => root.isConnected || watcher.stop(); // also called for an update overtaken by another
}

class Watcher {
  constructor(root) {
    this.root = root;
    this.timers = {};
    this.stale = new Set();
    this.lookSoon = () => this.soon("look", () => this.look(), SETTLED);
    this.stirred = -Infinity;
    this.stir = () => (this.stirred = performance.now());
    document.addEventListener("scroll", this.lookSoon, { capture: true, passive: true });
    window.addEventListener("resize", this.lookSoon);
    for (const kind of STIRRING) document.addEventListener(kind, this.stir, { capture: true });
  }

  update({ sections, turn, stale }, send) {
    this.sections = sections;
    this.send = send;
    if (turn !== this.turn) {
      this.turn = turn;
      this.stale = new Set(stale);
    }
    this.show();
    this.lookSoon();
    if (this.stale.size) this.soon("want", () => this.want(this.sections), PAUSE);
  }

  section(name) {
    return document.querySelector(`.st-key-part-${name}`);
  }

  // Reader and tests see what is still to come.
  show() {
    this.root.toggleAttribute("data-waiting", this.stale.size > 0);
    for (const name of this.sections) {
      this.section(name)?.toggleAttribute("data-stale", this.stale.has(name));
    }
  }

  want(names) {
    const wanted = names.filter((name) => this.stale.delete(name));
    this.show();
    this.send("view", { in_view: this.told, wanted, turn: this.turn });
  }

  // A message carries the values of all widgets as the browser knows them. One that crosses the
  // answer to a click would undo what the click chose; so it waits for calm.
  soon(name, task, wait) {
    clearTimeout(this.timers[name]);
    this.timers[name] = setTimeout(() => {
      if (!this.root.isConnected) this.stop();
      else if (isLeaving() || this.isBusy()) this.soon(name, task, SETTLED);
      else task();
    }, wait);
  }

  isBusy() {
    return performance.now() - this.stirred < CALM || document.querySelector(RUNNING) !== null;
  }

  look() {
    const inView = this.sections.filter((name) => {
      const section = this.section(name);
      if (!section) return false;
      const { top, bottom } = section.getBoundingClientRect();
      return bottom > 0 && top < window.innerHeight - SHOWING;
    });
    const isNews = inView.join(" ") !== this.told?.join(" ");
    if (!isNews && !inView.some((name) => this.stale.has(name))) return;
    this.told = inView;
    this.want(inView);
  }

  stop() {
    Object.values(this.timers).forEach(clearTimeout);
    document.removeEventListener("scroll", this.lookSoon, { capture: true });
    window.removeEventListener("resize", this.lookSoon);
    for (const kind of STIRRING) document.removeEventListener(kind, this.stir, { capture: true });
  }
}

// Tell the server which of the page's sections are in the window, when that changes; and, once the
// reader pauses after a change of settings, that the others are wanted too.

const SETTLED = 120; // ms without scrolling
const PAUSE = 600; // ms without a change of settings
const CALM = 500; // ms without a key or a click
const RUNNING = '[data-testid="stApp"]:not([data-test-script-state="notRunning"])';
const SHOWING = 96; // px of a section in the window that make it count as in view

const STIRRING = ["keydown", "pointerdown", "pointerup"];

const watchers = new WeakMap();

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".xl-later");
  if (!watchers.has(root)) watchers.set(root, new Watcher(root));
  const watcher = watchers.get(root);
  watcher.update(data, setStateValue);
  return () => root.isConnected || watcher.stop(); // also called for an update overtaken by another
}

class Watcher {
  constructor(root) {
    this.root = root;
    this.timers = {};
    this.lookSoon = () => this.soon("look", () => this.look(), SETTLED);
    this.stirred = -Infinity;
    this.stir = () => (this.stirred = performance.now());
    document.addEventListener("scroll", this.lookSoon, { capture: true, passive: true });
    window.addEventListener("resize", this.lookSoon);
    for (const kind of STIRRING) document.addEventListener(kind, this.stir, { capture: true });
  }

  update({ sections, settings, complete }, send) {
    this.sections = sections;
    this.send = send;
    this.root.toggleAttribute("data-waiting", !complete);
    this.lookSoon();
    if (complete) clearTimeout(this.timers.want);
    else this.soon("want", () => this.want(settings), PAUSE);
  }

  want(settings) {
    this.root.removeAttribute("data-waiting");
    this.send("wanted", settings);
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
      const section = document.querySelector(`.st-key-later-${name}`);
      if (!section) return false;
      const { top, bottom } = section.getBoundingClientRect();
      return bottom > 0 && top < window.innerHeight - SHOWING;
    });
    const now = inView.join(" ");
    if (now === this.told) return;
    this.told = now;
    this.send("in_view", inView);
  }

  stop() {
    Object.values(this.timers).forEach(clearTimeout);
    document.removeEventListener("scroll", this.lookSoon, { capture: true });
    window.removeEventListener("resize", this.lookSoon);
    for (const kind of STIRRING) document.removeEventListener(kind, this.stir, { capture: true });
  }
}

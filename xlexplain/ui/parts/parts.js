// Has the sections drawn anew once the reader pauses, when the first screen has changed.

const CALM = 250; // ms without a key, a click or a change
const LOOK = 50; // ms between two looks whether it is calm
const PATIENCE = 5000; // ms until sections that were asked for and did not come are asked for again
const RUNNING = '[data-testid="stApp"]:not([data-test-script-state="notRunning"])';
const STIRRING = ["keydown", "pointerdown", "pointerup"];
const whenIdle = window.requestIdleCallback?.bind(window) ?? ((then) => setTimeout(then, LOOK));

const watchers = new WeakMap();

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".xl-parts");
  if (!watchers.has(root)) watchers.set(root, new Watcher(root));
  const watcher = watchers.get(root);
  watcher.update(data);
  return () => root.isConnected || watcher.stop(); // also called for an update overtaken by another
}

class Watcher {
  constructor(root) {
    this.root = root;
    this.stir = () => (this.stirred = performance.now());
    this.drawn = ({ detail: turn }) => turn === this.turn && this.rest();
    for (const kind of STIRRING) document.addEventListener(kind, this.stir, { capture: true });
    document.addEventListener("xlexplain-drawn", this.drawn);
  }

  update({ turn, isStale }) {
    if (turn === this.turn) return;
    this.turn = turn;
    this.stir();
    this.rest();
    if (!isStale) return;
    this.show(true);
    this.lookIn(CALM);
  }

  rest() {
    clearTimeout(this.timer);
    this.show(false);
  }

  // Reader and tests see that the sections are those of a moment ago.
  show(isStale) {
    this.root.toggleAttribute("data-waiting", isStale);
    document.querySelector(".st-key-sections")?.toggleAttribute("data-stale", isStale);
  }

  lookIn(ms) {
    this.timer = setTimeout(() => whenIdle(() => this.look()), ms);
  }

  look() {
    if (!this.root.isConnected) return this.stop();
    if (!this.root.hasAttribute("data-waiting")) return;
    clearTimeout(this.timer);
    const isCalm = this.isCalm();
    this.lookIn(isCalm ? PATIENCE : LOOK);
    if (isCalm) window.xlexplainAsk?.();
  }

  // A message carries the values of all widgets as the browser knows them. One that crosses the
  // answer to a click, or is sent before the browser has taken that answer in, would undo what the
  // click chose; it could also bring back a page that the reader leaves.
  isCalm() {
    if (isLeaving() || document.querySelector(RUNNING) !== null) return false;
    return performance.now() - this.stirred > CALM;
  }

  stop() {
    clearTimeout(this.timer);
    for (const kind of STIRRING) document.removeEventListener(kind, this.stir, { capture: true });
    document.removeEventListener("xlexplain-drawn", this.drawn);
  }
}

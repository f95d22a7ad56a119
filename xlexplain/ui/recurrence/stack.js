// Segments stream in; each layer's states are rows; a token's receptive field is drawn through them,
// with memory and without. Which token hears which comes from the server; here it is only drawn.
// Pointing previews a token. A click, a key or a step chooses, and then the server hears of it.

const STEP_MS = 1300;
const SEND_MS = 250;

const instances = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".xlr");
  if (!instances.has(root)) instances.set(root, new Stack(root));
  const stack = instances.get(root);
  stack.update(data, setTriggerValue);
  return () => stack.pause();
}

class Stack {
  constructor(root) {
    this.root = root;
    this.find = (name) => root.querySelector(`.xlr-${name}`);
    this.memory = new MemoryPanel(root.querySelector("[data-panel=memory]"));
    this.panels = [this.memory, new Panel(root.querySelector("[data-panel=alone]"))];
    this.slider = this.find("token");
    this.count = 0;
    this.pointed = null;
    this.still = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.find("back").addEventListener("click", () => this.step(-1));
    this.find("next").addEventListener("click", () => this.step(1));
    this.find("play").addEventListener("click", () => this.toggle());
    this.slider.addEventListener("keydown", (event) => this.press(event));
    for (const panel of this.panels) this.listen(panel);
    this.still.addEventListener("change", () => this.showMotion());
    new ResizeObserver(() => this.data && this.layOut()).observe(root);
  }

  listen({ pane, scroll }) {
    const tokenAt = (event) => this.at.tokenAt(event.clientX - pane.getBoundingClientRect().left);
    pane.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "touch") this.point(tokenAt(event));
    });
    pane.addEventListener("pointerleave", () => this.point(null));
    pane.addEventListener("click", (event) => {
      this.choose(tokenAt(event));
      this.slider.focus({ preventScroll: true });
    });
    scroll.addEventListener("scroll", () => {
      for (const panel of this.panels) panel.scroll.scrollLeft = scroll.scrollLeft;
    });
  }

  // ---- what is shown -------------------------------------------------------------------------

  update(data, send) {
    const { colours, count, alt, segment, query, ...settings } = data;
    const fingerprint = JSON.stringify(settings);
    const isNew = fingerprint !== this.fingerprint;
    this.fingerprint = fingerprint;
    this.data = data;
    this.send = send;
    this.root.setAttribute("aria-label", alt);
    for (const [name, value] of Object.entries(colours)) {
      this.root.style.setProperty(`--${name}`, value);
    }
    if (isNew) this.pause();
    if (this.isNewChoice({ segment, query, count })) {
      this.pause();
      clearTimeout(this.sending);
      [this.segment, this.query] = [segment, query];
    }
    this.segment = Math.min(this.segment, data.segments - 1);
    this.query = Math.min(this.query, data.segmentLength - 1);
    this.showMotion();
    if (isNew) this.build();
    this.pointed = null;
    this.show();
  }

  /** Whether the page's sliders moved; an answer to this figure's own choices is not news. */
  isNewChoice(choice) {
    const before = this.received;
    this.received = choice;
    this.count = Math.max(this.count, choice.count);
    if (!before) return true;
    const isAnswer = choice.count !== before.count;
    return !isAnswer && (choice.segment !== before.segment || choice.query !== before.query);
  }

  build() {
    const { depth, words } = this.data;
    const named = Object.entries(words.legend).filter(([name]) => depth || name !== "kept");
    const signs = named.map(([name, text]) => {
      const item = document.createElement("li");
      item.dataset.sign = name;
      item.append(document.createElement("i"), text);
      return item;
    });
    this.find("legend").replaceChildren(...signs);
    this.root.toggleAttribute("data-alike", !depth);
    this.available = null;
    this.layOut();
  }

  layOut() {
    const available = this.memory.scroll.clientWidth;
    if (!available || available === this.available) return;
    this.available = available;
    this.at = new Geometry(this.data, available);
    for (const panel of this.panels) panel.draw(this.data, this.at);
    this.show();
    this.memory.scroll.scrollLeft = this.at.left(this.chosen) - available * 0.8;
  }

  get chosen() {
    return this.segment * this.data.segmentLength + this.query;
  }

  show() {
    if (!this.at) return;
    const token = this.pointed ?? this.chosen;
    for (const panel of this.panels) panel.show(this.segment, token);
    const said = sentences(this.data, { segment: this.segment, token });
    for (const name of ["with", "why", "without", "because", "story"]) {
      const place = this.find(name);
      if (place.textContent !== said[name]) place.textContent = said[name];
    }
    this.slider.setAttribute("aria-valuemax", this.data.length - 1);
    this.slider.setAttribute("aria-valuenow", this.chosen);
    this.slider.setAttribute("aria-valuetext", said.spoken);
    this.find("back").disabled = this.segment === 0;
    this.find("next").disabled = this.segment === this.data.segments - 1;
    this.root.toggleAttribute("data-last", (token + 1) % this.data.segmentLength === 0);
    const { reach, alone } = said;
    Object.assign(this.root.dataset, { segment: this.segment, query: this.query, reach, alone });
  }

  showMotion() {
    this.find("play").hidden = this.still.matches;
    if (this.still.matches) this.pause();
  }

  keepInView() {
    const { scroll } = this.memory;
    const inside = this.at.left(this.chosen) - scroll.scrollLeft;
    if (inside < 40 || inside > scroll.clientWidth - 40) {
      scroll.scrollLeft += inside - scroll.clientWidth * 0.8;
    }
  }

  // ---- acting --------------------------------------------------------------------------------

  /** Preview a token that has arrived; null ends it. */
  point(token) {
    const isArrived = token !== null && this.at.segmentOf(token) <= this.segment;
    const wanted = isArrived && !this.timer ? token : null;
    if (wanted === this.pointed) return;
    this.pointed = wanted;
    this.show();
  }

  move(segment, query) {
    this.segment = segment;
    this.query = query;
    this.pointed = null;
    this.show();
    this.keepInView();
  }

  choose(token) {
    const within = Math.max(0, Math.min(this.data.length - 1, token));
    this.pause();
    this.move(this.at.segmentOf(within), within % this.data.segmentLength);
    this.report();
  }

  step(by) {
    const segment = this.segment + by;
    this.pause();
    if (segment < 0 || segment >= this.data.segments) return;
    this.move(segment, this.query);
    this.report();
  }

  press(event) {
    const moves = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };
    const acts = {
      PageDown: () => this.step(-1),
      PageUp: () => this.step(1),
      Home: () => this.choose(0),
      End: () => this.choose(this.data.length - 1),
      " ": () => this.toggle(),
    };
    if (event.key in moves) this.choose(this.chosen + moves[event.key]);
    else if (event.key in acts) acts[event.key]();
    else return;
    event.preventDefault();
  }

  toggle() {
    if (!this.timer) return this.play();
    this.pause();
    this.report();
  }

  /** From here on, or from the beginning if this is the end. */
  play() {
    if (this.still.matches) return;
    const last = this.data.segments - 1;
    if (this.segment === last) this.move(0, this.query);
    this.timer = setInterval(() => {
      this.move(this.segment + 1, this.query);
      if (this.segment === last) this.toggle();
    }, STEP_MS);
    this.showPlaying();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.showPlaying();
  }

  showPlaying() {
    this.find("play").textContent = this.timer ? "❚❚ Pause" : "▶ Play";
    this.find("story").setAttribute("aria-live", this.timer ? "off" : "polite");
    this.root.toggleAttribute("data-playing", Boolean(this.timer));
  }

  /** Tell the server, once the reader has come to rest. */
  report() {
    this.count += 1;
    clearTimeout(this.sending);
    const { segment, query, count } = this;
    this.sending = setTimeout(() => isLeaving() || this.send("choice", { segment, query, count }), SEND_MS);
  }
}

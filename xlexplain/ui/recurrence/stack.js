// Segments stream in; each layer's states are rows. A token's receptive field is drawn through the
// rows, with memory and without. Which token reaches which comes from the server (`earliest`);
// here it is only drawn. Pointing previews a token; a click or a key chooses, and the server hears.

const COLUMN = { least: 12, most: 72, lettered: 10, signed: 17, apart: 7 };
const GAP = { wide: 5, narrow: 2 };
const PANELS = {
  memory: { head: 24, pitch: 38, cell: 22, foot: 20 },
  alone: { head: 4, pitch: 20, cell: 15, foot: 4 },
};
const WIDEST_SCROLL = 1040;
const STEP_MS = 1300;
const SEND_MS = 250;
const SVG = "http://www.w3.org/2000/svg";

const instances = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".xlr");
  if (!instances.has(root)) instances.set(root, new Stack(root));
  const stack = instances.get(root);
  stack.update(data, setTriggerValue);
  return () => stack.pause();
}

function drawn(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

class Stack {
  constructor(root) {
    this.root = root;
    this.find = (name) => root.querySelector(`.xlr-${name}`);
    this.count = 0;
    this.pointed = null;
    this.still = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.panels = Object.fromEntries(
      Object.entries(PANELS).map(([name, sizes]) => {
        const box = root.querySelector(`[data-panel=${name}]`);
        return [name, { name, sizes, box, scroll: box.querySelector(".xlr-scroll") }];
      }),
    );
    this.slider = this.find("token");
    this.find("back").addEventListener("click", () => this.step(-1));
    this.find("next").addEventListener("click", () => this.step(1));
    this.find("play").addEventListener("click", () => (this.timer ? this.pause(true) : this.play()));
    this.slider.addEventListener("keydown", (event) => this.press(event));
    for (const panel of Object.values(this.panels)) {
      const pane = panel.scroll.querySelector(".xlr-pane");
      pane.addEventListener("pointermove", (event) => {
        if (event.pointerType !== "touch") this.point(this.tokenAt(event, pane));
      });
      pane.addEventListener("pointerleave", () => this.point(null));
      pane.addEventListener("click", (event) => this.click(this.tokenAt(event, pane)));
      panel.scroll.addEventListener("scroll", () => this.scrollTogether(panel));
    }
    this.still.addEventListener("change", () => this.showMotion());
    new ResizeObserver(() => this.data && this.layOut()).observe(root);
  }

  // ---- what is shown -------------------------------------------------------------------------

  update(data, send) {
    const { colours, count, alt, ...shape } = data;
    const fingerprint = JSON.stringify({ ...shape, segment: 0, query: 0 });
    this.root.setAttribute("aria-label", alt);
    const isNew = fingerprint !== this.fingerprint;
    this.data = data;
    this.send = send;
    this.fingerprint = fingerprint;
    for (const [name, value] of Object.entries(colours)) {
      this.root.style.setProperty(`--${name}`, value);
    }
    if (count >= this.count) {
      const isMoved = this.segment !== data.segment || this.query !== data.query;
      this.count = count;
      if (isNew || isMoved) this.pause();
      this.segment = data.segment;
      this.query = data.query;
    }
    this.segment = Math.min(this.segment, data.segments - 1);
    this.query = Math.min(this.query, data.segmentLength - 1);
    this.pointed = null;
    if (isNew) this.build();
    this.showMotion();
    this.show();
  }

  get chosen() {
    return this.segment * this.data.segmentLength + this.query;
  }

  build() {
    this.width = null;
    const { layers, words } = this.data;
    for (const panel of Object.values(this.panels)) {
      const { sizes } = panel;
      const labels = Array.from({ length: layers + 1 }, (_, above) => {
        const row = layers - above;
        const label = document.createElement("span");
        label.textContent = row ? fill(words.layer, { layer: row }) : words.embedding;
        label.style.top = `${sizes.head + above * sizes.pitch}px`;
        label.style.lineHeight = `${sizes.cell}px`;
        return label;
      });
      panel.box.querySelector(".xlr-rows").replaceChildren(...labels);
    }
    const signs = Object.entries(words.legend).map(([name, text]) => {
      const item = document.createElement("li");
      const sign = document.createElement("i");
      sign.textContent = name === "now" ? "∇" : "";
      item.dataset.sign = name;
      item.append(sign, text);
      return item;
    });
    this.find("legend").replaceChildren(...signs);
    this.layOut();
  }

  layOut() {
    const { length, segments, layers } = this.data;
    const available = this.panels.memory.scroll.clientWidth;
    if (!available || available === this.width) return;
    this.width = available;
    const gap = length <= 200 ? GAP.wide : GAP.narrow;
    const gaps = (segments - 1) * gap + 4;
    const wanted = Math.max(available, Math.min(length * COLUMN.least + gaps, WIDEST_SCROLL));
    this.gap = gap;
    this.column = Math.min(COLUMN.most, (wanted - gaps) / length);
    this.total = length * this.column + gaps;
    for (const panel of Object.values(this.panels)) {
      const { sizes } = panel;
      panel.height = sizes.head + layers * sizes.pitch + sizes.cell + sizes.foot;
      this.draw(panel);
    }
    this.show();
    for (const panel of Object.values(this.panels)) {
      panel.scroll.scrollLeft = this.left(this.chosen) - available * 0.8;
    }
  }

  left(token) {
    return 2 + token * this.column + Math.floor(token / this.data.segmentLength) * this.gap;
  }

  right(token) {
    return this.left(token) + this.column - (this.column >= COLUMN.apart ? 2 : 0);
  }

  top(panel, row) {
    return panel.sizes.head + (this.data.layers - row) * panel.sizes.pitch;
  }

  tokenAt(event, pane) {
    const x = event.clientX - pane.getBoundingClientRect().left - 2;
    const { segmentLength, length, segments } = this.data;
    const pitch = segmentLength * this.column + this.gap;
    const segment = Math.max(0, Math.min(segments - 1, Math.floor(x / pitch)));
    const inner = Math.floor((x - segment * pitch) / this.column);
    const token = segment * segmentLength + Math.max(0, Math.min(segmentLength - 1, inner));
    return Math.min(length - 1, token);
  }

  // ---- drawing -------------------------------------------------------------------------------

  draw(panel) {
    const { layers, segments } = this.data;
    const svg = panel.scroll.querySelector("svg");
    svg.setAttribute("width", this.total);
    svg.setAttribute("height", panel.height);
    panel.scroll.querySelector(".xlr-pane").style.width = `${this.total}px`;
    panel.groups = Array.from({ length: segments }, (_, segment) =>
      Array.from({ length: layers + 1 }, (_, row) => this.drawStates(panel, segment, row)),
    );
    panel.box_ = drawn("rect", { class: "xlr-box", rx: 6 });
    panel.field = drawn("path", { class: "xlr-field" });
    panel.ground = drawn("path", { class: "xlr-ground" });
    panel.fans = drawn("path", { class: "xlr-fans" });
    panel.hidden = drawn("g");
    panel.marks = drawn("g");
    panel.stop = drawn("path", { class: "xlr-stop" });
    panel.notes = drawn("g", { class: "xlr-notes" });
    panel.labels = drawn("g");
    const parts = [
      panel.ground,
      panel.fans,
      panel.name === "memory" ? panel.box_ : this.drawWalls(panel),
      ...panel.groups.flat(),
      panel.hidden,
      panel.field,
      panel.marks,
      panel.stop,
    ];
    if (panel.name === "memory") {
      panel.letters = this.drawLetters(panel);
      parts.push(...panel.letters, this.drawNumbers(panel));
    }
    svg.replaceChildren(...parts, panel.notes, panel.labels);
  }

  drawStates(panel, segment, row) {
    const { segmentLength } = this.data;
    const group = drawn("g", { class: "xlr-states", "data-segment": segment, "data-row": row });
    group.style.setProperty("--row", row);
    const y = this.top(panel, row);
    const height = panel.sizes.cell;
    const first = segment * segmentLength;
    const isApart = this.column >= COLUMN.apart;
    const spans = isApart
      ? Array.from({ length: segmentLength }, (_, place) => [first + place, first + place])
      : [[first, first + segmentLength - 1]];
    for (const [from, to] of spans) {
      const x = this.left(from);
      const width = this.right(to) - x;
      group.append(drawn("rect", { x, y, width, height, rx: isApart ? 4 : 2 }));
      if (row && panel.name === "memory" && width >= COLUMN.signed - 2) {
        const sign = drawn("text", { x: x + width / 2, y: y + height / 2, class: "xlr-sign" });
        sign.textContent = "∇";
        group.append(sign);
      }
    }
    return group;
  }

  drawWalls(panel) {
    const { segments, segmentLength } = this.data;
    const lines = Array.from({ length: segments - 1 }, (_, place) => {
      const x = this.left((place + 1) * segmentLength) - this.gap / 2 - (this.gap > 2 ? 1 : 0);
      return `M${x} ${panel.sizes.head - 3}V${panel.height}`;
    });
    return drawn("path", { class: "xlr-walls", d: lines.join("") });
  }

  drawLetters(panel) {
    if (this.column < COLUMN.lettered) return [];
    const y = this.top(panel, 0) + panel.sizes.cell / 2;
    return this.data.tokens.map((char, token) => {
      const x = (this.left(token) + this.right(token)) / 2;
      const letter = drawn("text", { x, y, class: "xlr-letter" });
      letter.textContent = char;
      return letter;
    });
  }

  drawNumbers(panel) {
    const { segments, segmentLength, words } = this.data;
    const pitch = segmentLength * this.column + this.gap;
    const every = Math.ceil(26 / pitch);
    const y = panel.height - 5;
    const group = drawn("g", { class: "xlr-numbers" });
    for (let segment = 0; segment < segments; segment += every) {
      const x = this.left(segment * segmentLength) + (segmentLength * this.column - 2) / 2;
      const label = drawn("text", { x, y });
      label.textContent = pitch >= 90 ? fill(words.segment, { segment }) : segment;
      group.append(label);
    }
    return group;
  }

  // ---- the step and the field ----------------------------------------------------------------

  show() {
    if (!this.total) return;
    for (const panel of Object.values(this.panels)) {
      this.showStates(panel);
      this.showField(panel);
    }
    this.showBox();
    this.say();
  }

  stateOf(panel, segment, row) {
    const age = this.segment - segment;
    if (age < 0) return "ahead";
    if (age === 0) return "now";
    const depth = panel.name === "memory" ? this.data.depth : 0;
    return age <= depth && row < this.data.layers ? "kept" : "gone";
  }

  showStates(panel) {
    panel.groups.forEach((rows, segment) =>
      rows.forEach((group, row) => {
        group.dataset.state = this.stateOf(panel, segment, row);
        group.style.setProperty("--fill", `var(--memory-${Math.min(4, this.segment - segment)})`);
      }),
    );
    const { segmentLength } = this.data;
    panel.letters?.forEach((letter, token) => {
      const segment = Math.floor(token / segmentLength);
      letter.dataset.state = this.stateOf(panel, segment, 0);
      letter.toggleAttribute("data-chosen", token === this.shown);
    });
  }

  /** The token whose field is drawn. */
  get shown() {
    return this.pointed ?? this.chosen;
  }

  earliestOf(panel, token) {
    const { earliest, alone, layers } = this.data;
    return panel.name === "memory" ? earliest[token] : Array(layers).fill(alone[token]);
  }

  showField(panel) {
    const { layers, segmentLength, depth, words } = this.data;
    const { cell } = panel.sizes;
    const memory = depth * segmentLength;
    const token = this.shown;
    const edges = [token, ...this.earliestOf(panel, token)]; // row layers, layers-1, … 0
    const right = this.right(token) + 1;
    const points = [];
    edges.forEach((edge, above) => {
      const y = this.top(panel, layers - above);
      points.push([this.left(edge) - 1, y - 2], [this.left(edge) - 1, y + cell + 2]);
    });
    const bottom = this.top(panel, 0) + cell + 2;
    points.push([right, bottom], [right, this.top(panel, layers) - 2]);
    const outline = `M${points.map((point) => point.join(" ")).join("L")}Z`;
    panel.field.setAttribute("d", outline);
    panel.ground.setAttribute("d", outline);
    panel.field.dataset.edges = JSON.stringify(edges);
    panel.fans.setAttribute("d", this.fansOf(panel, edges));
    this.showHidden(panel, token);
    this.showChosen(panel, token);
    const notes = panel.name === "memory" ? edges.slice(1) : edges.slice(-1);
    const isNews = (edge, above) => above === 0 || edge !== notes[above - 1];
    const reached = notes.map((edge, above) => {
      if (!isNews(edge, above)) return "";
      const row = panel.name === "memory" ? layers - above - 1 : 0;
      const back = token - edge;
      const step = edges[notes.length > 1 ? above : 0] - edge;
      const isRoomy = above && step === memory && this.left(edge) > 130 && memory * this.column > 120;
      const text = fill(isRoomy ? words.further : words.back, { back, step, before: back - step });
      const isLettered = row === 0 && token !== edge && panel.letters?.length;
      const y = this.top(panel, row) + cell / 2 - (isLettered ? panel.sizes.pitch / 2 : 0);
      return this.note(text, this.left(edge) - 6, y);
    });
    panel.labels.replaceChildren(...reached.filter(Boolean));
  }

  /** Lines from each row's farthest state down to the states that it reads. */
  fansOf(panel, edges) {
    const { layers, segmentLength } = this.data;
    const { cell } = panel.sizes;
    const middle = (place) => (this.left(place) + this.right(place)) / 2;
    const lines = [];
    edges.slice(1).forEach((edge, above) => {
      const from = edges[above];
      if (from === edge) return;
      const every = this.column >= COLUMN.apart ? 1 : segmentLength;
      const y = this.top(panel, layers - above) + cell;
      const below = this.top(panel, layers - above - 1);
      for (let place = edge; place <= from; place += every) {
        lines.push(`M${middle(from)} ${y}L${middle(place)} ${below}`);
      }
    });
    return lines.join("");
  }

  /** A label at the left end of a row, or inside it where the text begins. */
  note(text, x, y) {
    const room = 8 + text.length * 7.4;
    const isInside = x < room;
    const end = isInside ? x + 12 + room : x;
    const label = drawn("text", { x: end - room / 2, y, class: "xlr-back" });
    label.textContent = text;
    const plate = drawn("rect", { x: end - room, y: y - 9, width: room, height: 18, rx: 9 });
    return drawn("g", { class: "xlr-note" }, plate, label);
  }

  showHidden(panel, token) {
    const { layers, segmentLength } = this.data;
    const last = Math.floor(token / segmentLength) * segmentLength + segmentLength - 1;
    const masks = [];
    for (let row = 0; row < layers && token < last; row += 1) {
      const x = this.left(token + 1);
      const y = this.top(panel, row);
      const width = this.right(last) - x;
      masks.push(drawn("rect", { x, y, width, height: panel.sizes.cell, rx: 4 }));
    }
    for (const mask of masks) mask.setAttribute("fill", `url(#${this.root.id}-hatch)`);
    panel.hidden.replaceChildren(...masks);
  }

  showChosen(panel, token) {
    const { layers } = this.data;
    const places = [layers, 0].map((row) => {
      const x = this.left(token);
      const width = Math.max(4, this.right(token) - x);
      const y = this.top(panel, row);
      return drawn("rect", { x, y, width, height: panel.sizes.cell, rx: 4, class: "xlr-chosen" });
    });
    panel.marks.replaceChildren(places[0], ...(panel.name === "memory" ? [places[1]] : []));
  }

  showBox() {
    const { depth, segmentLength, words, layers } = this.data;
    const panel = this.panels.memory;
    const { head, cell } = panel.sizes;
    const first = Math.max(0, this.segment - depth) * segmentLength;
    const border = this.left(this.segment * segmentLength) - this.gap / 2 - (this.gap > 2 ? 1 : 0);
    const hasMemory = depth > 0 && this.segment > 0;
    const top = layers ? this.top(panel, layers - 1) - 5 : head;
    const bottom = this.top(panel, 0) + cell + 4;
    panel.box_.style.display = hasMemory ? "" : "none";
    panel.box_.style.x = `${this.left(first) - 2}px`;
    panel.box_.style.width = `${Math.max(0, border - this.left(first) + 2)}px`;
    panel.box_.style.y = `${top}px`;
    panel.box_.style.height = `${bottom - top}px`;
    panel.stop.setAttribute(
      "d",
      hasMemory
        ? `M${border} 4V${bottom}M${border - 5} 4H${border + 5}M${border - 5} ${bottom}H${border + 5}`
        : "",
    );
    const texts = [];
    const write = (text, x, anchor) => {
      const label = drawn("text", { x, y: 14, "text-anchor": anchor });
      label.textContent = text;
      texts.push(label);
    };
    const room = this.total - border;
    if (hasMemory) {
      const isRoomy = border > words.kept.length * 6.8;
      write(isRoomy ? words.kept : words.keptShort, border - 10, "end");
      write(room > words.now.length * 7.2 + 10 ? words.now : words.nowShort, border + 9, "start");
    } else {
      const x = this.left(this.segment * segmentLength);
      const wide = words.now.length * 7.2;
      if (this.total - x > wide) write(words.now, x, "start");
      else write(words.now, this.total - 2, "end");
    }
    panel.notes.replaceChildren(...texts);
  }

  // ---- words ---------------------------------------------------------------------------------

  say() {
    const { segmentLength, segments, layers, depth, words, tokens, length } = this.data;
    const token = this.shown;
    const place = token % segmentLength;
    const memory = depth * segmentLength;
    const own = Math.floor(token / segmentLength);
    const reach = token - this.earliestOf(this.panels.memory, token).at(-1);
    const alone = token - this.data.alone[token];
    const full = place + layers * memory;
    const isLast = place === segmentLength - 1;
    const values = {
      token: tokens[token],
      place,
      segment: this.segment,
      own,
      layers,
      memory,
      reach,
      alone,
      reached: this.tokens(reach),
      full,
      start: isLast ? "L − 1" : "i",
      first: Math.max(0, this.segment - depth),
      before: this.segment - 1,
      forgotten: this.segment - depth - 1,
      depth,
      present: Math.min(depth, this.segment),
    };
    const isWhole = reach === full;
    const set = (name, text) => (this.find(name).textContent = text);
    const titles = depth ? [words.withAny, words.withLast] : [words.noneAny, words.noneLast];
    set("with", fill(titles[Number(isLast)], values));
    set("why", fill(isWhole ? words.whole : words.cut, values));
    set("without", fill(depth ? words.without : words.same, values));
    set("because", fill(depth ? words.because : words.becauseSame, values));
    let story = words.storyEmpty;
    if (depth && this.segment) {
      story = values.present < depth ? words.storyFilling : words.storyFull;
      if (this.segment > depth) story = layers > 1 ? words.storyForgets : words.storyForgetsOne;
    } else if (!depth && this.segment) story = words.storyNone;
    const named = {
      ...values,
      held:
        fill([words.oneSegment, words.twoSegments][values.before - values.first] ?? words.someSegments, values),
      lost: values.forgotten ? fill(words.someLost, values) : words.oneLost,
    };
    set("story", fill(story, named));
    this.slider.setAttribute("aria-valuemax", length - 1);
    this.slider.setAttribute("aria-valuenow", this.chosen);
    this.slider.setAttribute("aria-valuetext", fill(words.spoken, values));
    this.find("back").disabled = this.segment === 0;
    this.find("next").disabled = this.segment === segments - 1;
    this.root.dataset.segment = this.segment;
    this.root.dataset.query = this.query;
    this.root.dataset.reach = reach;
    this.root.dataset.alone = alone;
  }

  tokens(count) {
    return fill(count === 1 ? this.data.words.oneToken : this.data.words.someTokens, { count });
  }

  // ---- acting --------------------------------------------------------------------------------

  point(token) {
    const isArrived = token !== null && token < (this.segment + 1) * this.data.segmentLength;
    const wanted = isArrived && !this.timer ? token : null;
    if (wanted === this.pointed) return;
    this.pointed = wanted;
    this.show();
  }

  click(token) {
    this.choose(token);
    this.slider.focus({ preventScroll: true });
  }

  choose(token) {
    const { segmentLength, length } = this.data;
    const within = Math.max(0, Math.min(length - 1, token));
    this.pause();
    this.pointed = null;
    this.segment = Math.floor(within / segmentLength);
    this.query = within % segmentLength;
    this.show();
    this.keepInView();
    this.report();
  }

  press(event) {
    const { segmentLength, length } = this.data;
    const moves = {
      ArrowLeft: -1,
      ArrowDown: -1,
      ArrowRight: 1,
      ArrowUp: 1,
      PageDown: -segmentLength,
      PageUp: segmentLength,
      Home: -length,
      End: length,
    };
    if (event.key === " ") (this.timer ? this.pause(true) : this.play());
    else if (event.key in moves) {
      const isPage = Math.abs(moves[event.key]) === segmentLength && event.key.startsWith("Page");
      const wanted = this.chosen + moves[event.key];
      if (!isPage || (wanted >= 0 && wanted < length)) this.choose(wanted);
    } else return;
    event.preventDefault();
  }

  step(by) {
    this.pause();
    this.move(by);
    this.report();
  }

  move(by) {
    this.segment = Math.max(0, Math.min(this.data.segments - 1, this.segment + by));
    this.pointed = null;
    this.show();
    this.keepInView();
  }

  play() {
    if (this.still.matches) return;
    const last = this.data.segments - 1;
    if (this.segment === last) this.move(-last);
    this.timer = setInterval(() => {
      this.move(1);
      if (this.segment === last) this.pause(true);
    }, STEP_MS);
    this.showPlaying();
  }

  pause(isReported = false) {
    if (this.timer) {
      clearInterval(this.timer);
      this.timer = null;
      if (isReported) this.report();
    }
    this.showPlaying();
  }

  showPlaying() {
    const button = this.find("play");
    button.textContent = this.timer ? "❚❚ Pause" : "▶ Play";
    this.root.toggleAttribute("data-playing", Boolean(this.timer));
  }

  showMotion() {
    this.find("play").hidden = this.still.matches;
    if (this.still.matches) this.pause(true);
  }

  keepInView() {
    const { scroll } = this.panels.memory;
    const x = this.left(this.chosen);
    const isOutside = x < scroll.scrollLeft + 40 || x > scroll.scrollLeft + scroll.clientWidth - 40;
    if (isOutside && scroll.scrollWidth > scroll.clientWidth) {
      scroll.scrollLeft = x - scroll.clientWidth * 0.8;
    }
  }

  scrollTogether(panel) {
    for (const other of Object.values(this.panels)) {
      if (other !== panel && other.scroll.scrollLeft !== panel.scroll.scrollLeft) {
        other.scroll.scrollLeft = panel.scroll.scrollLeft;
      }
    }
  }

  report() {
    clearTimeout(this.sending);
    this.count += 1;
    this.sending = setTimeout(() => {
      this.send("choice", { segment: this.segment, query: this.query, count: this.count });
    }, SEND_MS);
  }
}

// One stack of rows: the states of every segment, the field of a token in them. `MemoryPanel` adds
// what only memory has: letters, the box of what is kept, the bar that no gradient passes.

const SVG = "http://www.w3.org/2000/svg";
const SIGNED = 15;
const LETTER_WIDTH = 7.2;

function drawn(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function written(text, attributes) {
  return drawn("text", attributes, document.createTextNode(text));
}

function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

class Panel {
  constructor(box) {
    this.box = box;
    this.scroll = box.querySelector(".xlr-scroll");
    this.pane = box.querySelector(".xlr-pane");
    this.svg = this.pane.querySelector("svg");
    this.sizes = { head: 4, pitch: 20, cell: 15, foot: 4 };
    this.depth = 0;
  }

  top(row) {
    return this.sizes.head + (this.data.layers - row) * this.sizes.pitch;
  }

  get bottom() {
    return this.top(0) + this.sizes.cell;
  }

  /** Earliest token that `token` hears in each row, the highest row first. */
  edges(token) {
    return [token, ...Array(this.data.layers).fill(this.data.alone[token])];
  }

  // ---- once for each setting -----------------------------------------------------------------

  draw(data, geometry) {
    this.data = data;
    this.at = geometry;
    const height = this.bottom + this.sizes.foot;
    this.svg.setAttribute("width", geometry.width);
    this.svg.setAttribute("height", height);
    this.pane.style.width = `${geometry.width}px`;
    this.nameRows();
    this.signs = []; // those of the highest row, where a mark may cover one
    this.groups = Array.from({ length: data.segments }, (_, segment) =>
      Array.from({ length: data.layers + 1 }, (_, row) => this.states(segment, row)),
    );
    this.ground = drawn("path", { class: "xlr-ground" });
    this.fans = drawn("path", { class: "xlr-fans" });
    this.masks = drawn("g");
    this.field = drawn("path", { class: "xlr-field" });
    this.marks = drawn("g");
    this.notes = drawn("g");
    this.svg.replaceChildren(
      this.ground,
      this.fans,
      ...this.behind(height),
      ...this.groups.flat(),
      this.masks,
      this.field,
      this.marks,
      ...this.before(height),
      this.notes,
    );
  }

  nameRows() {
    const { layers, words } = this.data;
    const names = Array.from({ length: layers + 1 }, (_, row) => {
      const name = document.createElement("span");
      name.textContent = row ? fill(words.layer, { layer: row }) : words.embedding;
      name.style.top = `${this.top(row)}px`;
      name.style.lineHeight = `${this.sizes.cell}px`;
      return name;
    });
    this.box.querySelector(".xlr-rows").replaceChildren(...names);
  }

  /** The states of one segment in one row: a box a token, or one for all where they are too many. */
  states(segment, row) {
    const { segmentLength } = this.data;
    const group = drawn("g", { class: "xlr-states", "data-segment": segment, "data-row": row });
    group.style.setProperty("--row", row);
    const first = segment * segmentLength;
    const spans = this.at.isApart
      ? Array.from({ length: segmentLength }, (_, place) => [first + place, first + place])
      : [[first, first + segmentLength - 1]];
    for (const [from, to] of spans) {
      const x = this.at.left(from);
      const width = this.at.right(to) - x;
      const y = this.top(row);
      const height = this.sizes.cell;
      group.append(drawn("rect", { x, y, width, height, rx: this.at.isApart ? 4 : 2 }));
      if (row && width >= SIGNED && this.isSigned) {
        const sign = written("∇", { x: x + width / 2, y: y + height / 2, class: "xlr-sign" });
        if (row === this.data.layers) this.signs.push([from, sign]);
        group.append(sign);
      }
    }
    return group;
  }

  /** What stands behind the states: walls between the segments. */
  behind(height) {
    const lines = Array.from({ length: this.data.segments - 1 }, (_, segment) => {
      return `M${this.at.border(segment + 1)} ${this.sizes.head - 3}V${height}`;
    });
    return [drawn("path", { class: "xlr-walls", d: lines.join("") })];
  }

  before() {
    return [];
  }

  // ---- at every step -------------------------------------------------------------------------

  /** Show segment `segment` as the one being read, and the field of `token`. */
  show(segment, token) {
    this.groups.forEach((rows, one) =>
      rows.forEach((group, row) => {
        group.dataset.state = this.stateOf(segment - one, row);
        group.style.setProperty("--fill", `var(--memory-${Math.min(4, segment - one)})`);
      }),
    );
    const edges = this.edges(token);
    const outline = this.outline(edges);
    this.field.setAttribute("d", outline);
    this.field.dataset.edges = edges.join(" ");
    this.ground.setAttribute("d", outline);
    this.fans.setAttribute("d", this.fanLines(edges));
    this.masks.replaceChildren(...this.masked(token));
    this.marks.replaceChildren(...this.markedRows().map((row) => this.mark(token, row)));
    this.signs.forEach(([one, sign]) => (sign.style.display = one === token ? "none" : ""));
    this.notes.replaceChildren(...this.distances(edges));
  }

  stateOf(age, row) {
    if (age < 0) return "ahead";
    if (age === 0) return "now";
    return age <= this.depth && row < this.data.layers ? "kept" : "gone";
  }

  /** From the chosen state down its left edge, row by row, and up again on the right. */
  outline(edges) {
    const { layers } = this.data;
    const points = edges.flatMap((edge, above) => {
      const x = this.at.left(edge) - 1;
      const y = this.top(layers - above);
      return [`${x} ${y - 2}`, `${x} ${y + this.sizes.cell + 2}`];
    });
    const right = this.at.right(edges[0]) + 1;
    points.push(`${right} ${this.bottom + 2}`, `${right} ${this.top(layers) - 2}`);
    return `M${points.join("L")}Z`;
  }

  /** Lines from each row's farthest state down to the states that it reads. */
  fanLines(edges) {
    const lines = [];
    edges.slice(1).forEach((edge, above) => {
      const from = edges[above];
      if (from === edge) return;
      const row = this.data.layers - above;
      const start = `M${this.at.middle(from)} ${this.top(row) + this.sizes.cell}`;
      const every = this.at.isApart ? 1 : this.data.segmentLength;
      for (let token = edge; token <= from; token += every) {
        lines.push(`${start}L${this.at.middle(token)} ${this.top(row - 1)}`);
      }
    });
    return lines.join("");
  }

  /** What the segment holds after the token: hidden from it. */
  masked(token) {
    const last = (this.at.segmentOf(token) + 1) * this.data.segmentLength - 1;
    if (token === last) return [];
    const x = this.at.left(token + 1);
    const width = this.at.right(last) - x;
    return Array.from({ length: this.data.layers }, (_, row) =>
      drawn("rect", { x, y: this.top(row), width, height: this.sizes.cell, rx: 4, class: "xlr-mask" }),
    );
  }

  markedRows() {
    return [this.data.layers];
  }

  mark(token, row) {
    const x = this.at.left(token);
    const width = Math.max(4, this.at.right(token) - x);
    const height = this.sizes.cell;
    return drawn("rect", { x, y: this.top(row), width, height, rx: 4, class: "xlr-chosen" });
  }

  distances(edges) {
    const [token, edge] = [edges[0], edges.at(-1)];
    const text = fill(this.data.words.back, { back: token - edge });
    return [this.note(text, edge, this.top(0) + this.sizes.cell / 2)];
  }

  /** A label at the left of a row's first state, or inside the field where the text begins. */
  note(text, edge, y) {
    const room = 10 + text.length * LETTER_WIDTH;
    const edgeX = this.at.left(edge);
    const end = edgeX - 6 < room ? edgeX + 6 + room : edgeX - 6;
    return drawn(
      "g",
      { class: "xlr-note" },
      drawn("rect", { x: end - room, y: y - 9, width: room, height: 18, rx: 9 }),
      written(text, { x: end - room / 2, y }),
    );
  }
}

class MemoryPanel extends Panel {
  constructor(box) {
    super(box);
    this.sizes = { head: 24, pitch: 38, cell: 22, foot: 20 };
    this.isSigned = true;
  }

  draw(data, geometry) {
    this.depth = data.depth;
    super.draw(data, geometry);
  }

  edges(token) {
    return [token, ...this.data.earliest[token]];
  }

  markedRows() {
    return [this.data.layers, 0];
  }

  behind() {
    this.kept = drawn("rect", { class: "xlr-kept", rx: 6 });
    return [this.kept];
  }

  before(height) {
    this.stop = drawn("path", { class: "xlr-stop" });
    this.titles = drawn("g", { class: "xlr-titles" });
    this.letters = this.at.isLettered ? this.data.tokens.map((char, token) => this.letter(char, token)) : [];
    return [this.stop, ...this.letters, this.segmentNames(height - 5), this.titles];
  }

  letter(char, token) {
    const y = this.top(0) + this.sizes.cell / 2;
    return written(char, { x: this.at.middle(token), y, class: "xlr-letter" });
  }

  segmentNames(y) {
    const { segments, segmentLength, words } = this.data;
    const every = Math.ceil(26 / this.at.pitch);
    const names = drawn("g", { class: "xlr-names" });
    for (let segment = 0; segment < segments; segment += every) {
      const text = this.at.pitch >= 90 ? fill(words.segment, { segment }) : String(segment);
      const x = this.at.left(segment * segmentLength) + (this.at.pitch - this.at.gap) / 2;
      names.append(written(text, { x, y }));
    }
    return names;
  }

  show(segment, token) {
    super.show(segment, token);
    this.letters.forEach((letter, one) => {
      letter.dataset.state = this.stateOf(segment - this.at.segmentOf(one), 0);
      letter.toggleAttribute("data-chosen", one === token);
    });
    this.showKept(segment);
  }

  /** The box around what memory holds, the bar beside it, and what both are called. */
  showKept(segment) {
    const { segmentLength, words } = this.data;
    const first = Math.max(0, segment - this.depth) * segmentLength;
    const border = this.at.border(segment);
    const hasMemory = this.depth > 0 && segment > 0;
    const [top, bottom] = [this.top(this.data.layers - 1) - 5, this.bottom + 4];
    this.kept.style.display = hasMemory ? "" : "none";
    this.kept.style.x = `${this.at.left(first) - 2}px`;
    this.kept.style.width = `${Math.max(0, border - this.at.left(first) + 2)}px`;
    this.kept.style.y = `${top}px`;
    this.kept.style.height = `${bottom - top}px`;
    const bar = `M${border} 4V${bottom}M${border - 5} 4h10M${border - 5} ${bottom}h10`;
    this.stop.setAttribute("d", hasMemory ? bar : "");

    const title = (text, x, anchor) => written(text, { x, y: 14, "text-anchor": anchor });
    const now = this.at.left(segment * segmentLength) + 4;
    const isRoomy = this.at.width - now > words.now.length * LETTER_WIDTH;
    if (!hasMemory) {
      this.titles.replaceChildren(
        isRoomy ? title(words.now, now, "start") : title(words.now, this.at.width - 2, "end"),
      );
      return;
    }
    const isKeptRoomy = border > words.kept.length * LETTER_WIDTH;
    const short = this.at.width - now > words.nowShort.length * LETTER_WIDTH + 6 ? words.nowShort : "";
    this.titles.replaceChildren(
      title(isKeptRoomy ? words.kept : words.keptShort, border - 10, "end"),
      title(isRoomy ? words.now : short, border + 9, "start"),
    );
  }

  /** How far back each row begins, and by how much further than the row above; the first adds memory to its place. */
  distances(edges) {
    const { layers, segmentLength, words } = this.data;
    const token = edges[0];
    const memory = this.depth * segmentLength;
    return edges.slice(1).flatMap((edge, above) => {
      const step = edges[above] - edge;
      if (above && !step) return [];
      const row = layers - above - 1;
      const before = above ? token - edges[above] : token % segmentLength;
      const more = token - edge - before;
      const values = { back: token - edge, before, step: more };
      const long = fill(words.further, values);
      const room = long.length * LETTER_WIDTH + 16;
      const isLong = memory && more === memory && this.at.left(edge) > room && step * this.at.column > room;
      const lift = row === 0 && this.at.isLettered && step ? this.sizes.pitch / 2 : 0;
      const y = this.top(row) + this.sizes.cell / 2 - lift;
      return [this.note(isLong ? long : fill(words.back, values), edge, y)];
    });
  }
}

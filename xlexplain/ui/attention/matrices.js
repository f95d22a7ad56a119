// Matrices of one head side by side. Pointing at a cell marks the same query and key in all of them;
// arrow keys move, a click or Enter chooses, and the server hears of it.

const LABEL = 24;
const TOP = 26;
const instances = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".rm");
  if (!instances.has(root)) instances.set(root, new Matrices(root));
  instances.get(root).update(data, setTriggerValue);
}

const shown = (value, scale) =>
  scale === "sequential"
    ? (100 * value).toFixed(1) + "\u00a0%"
    : (value.toFixed(2) < 0 ? "−" : "+") + Math.abs(value).toFixed(2);

class Matrices {
  constructor(root) {
    this.root = root;
    this.pointed = null;
    this.width = 0;
    new ResizeObserver(() => {
      if (this.data && root.clientWidth !== this.width) this.layOut();
    }).observe(root);
  }

  update(data, send) {
    this.data = data;
    this.send = send;
    this.S = data.tokens.length;
    this.L = this.S - data.memory;
    for (const [name, value] of Object.entries(data.colours)) {
      this.root.style.setProperty("--" + name, value);
    }
    this.ramps = Object.fromEntries(
      Object.entries(data.scales).map(([name, stops]) => [name, ramp(stops)]));
    this.pointed = null;
    this.build();
    this.layOut();
  }

  build() {
    const holder = this.root.querySelector(".panels");
    const names = this.data.panels.map((panel) => panel.name);
    this.root.setAttribute("aria-label", `Matrices: ${names.join(", ")}`);
    const focused = this.panels?.findIndex((panel) => panel.grid === this.root.getRootNode().activeElement);
    if (this.panels?.length !== this.data.panels.length) {
      this.panels = this.data.panels.map((_, place) => this.buildPanel(place));
      this.check = make("div", { className: "check" });
      holder.replaceChildren(...this.panels.map((panel) => panel.node), this.check);
    }
    this.panels.forEach((panel, place) => {
      const given = this.data.panels[place];
      Object.assign(panel, given, { numbers: floats(given.values), mask: bytes(given.masked) });
      panel.title.textContent = `${given.name}: ${given.finding}`;
      panel.captionLine.textContent = given.caption;
      panel.grid.setAttribute("aria-label",
        `${given.name}, ${this.L} queries × ${this.S} ${given.columns}: ${given.finding}. Arrow keys move${this.data.choosing ? ", Enter chooses" : ""}.`);
      panel.grid.classList.toggle("is-fixed", !this.data.choosing);
      panel.grid.setAttribute("aria-rowcount", this.L);
      panel.grid.setAttribute("aria-colcount", this.S);
      this.fillKey(panel);
    });
    if (focused >= 0) this.panels[focused].grid.focus();
    this.fillCheck();
  }

  buildPanel(place) {
    const panel = { place };
    panel.title = make("h3");
    panel.value = make("span", { className: "value" });
    panel.captionLine = make("p", { className: "caption" });
    panel.labels = make("canvas", { "aria-hidden": "true", className: "labels" });
    panel.canvas = make("canvas", { "aria-hidden": "true" });
    panel.cell = make("div", { role: "gridcell", id: `cell-${place}`, className: "sr" });
    panel.row = make("div", { role: "row" }, panel.cell);
    panel.chosen = make("div", { className: "mark chosen" });
    panel.hover = make("div", { className: "mark pointed" });
    panel.grid = make("div", { className: "grid", role: "grid", tabindex: "0",
      "aria-activedescendant": `cell-${place}` }, panel.labels, panel.canvas, panel.row, panel.chosen, panel.hover);
    panel.scroll = make("div", { className: "scroll" }, panel.grid);
    panel.key = make("div", { className: "key" });
    panel.node = make("div", { className: "panel" },
      panel.title, make("div", { className: "head" }, panel.captionLine, panel.value),
      panel.scroll, panel.key);
    panel.grid.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "touch") this.point(this.pairAt(panel, event));
    });
    panel.grid.addEventListener("pointerleave", () => this.point(null));
    panel.grid.addEventListener("blur", () => this.point(null));
    panel.grid.addEventListener("click", (event) => this.choose(this.pairAt(panel, event)));
    panel.grid.addEventListener("keydown", (event) => this.press(event));
    panel.scroll.addEventListener("scroll", () => {
      for (const other of this.panels) {
        if (other !== panel && other.scroll.scrollLeft !== panel.scroll.scrollLeft) {
          other.scroll.scrollLeft = panel.scroll.scrollLeft;
        }
      }
    });
    return panel;
  }

  layOut() {
    this.width = this.root.clientWidth;
    if (!this.width) return;
    const room = (across) => (this.width - 22 * (across - 1)) / across - LABEL - 4;
    const most = Math.min(this.panels.length + 1, 3);
    let across = [3, 2].find((one) => one <= most && room(one) >= 15 * this.S && room(one) > 240) ?? 1;
    if (this.panels.length === 1 && !this.data.check.length) across = 1;
    this.root.style.setProperty("--across", across);
    this.root.style.setProperty("--title", across > 1 ? "2.6em" : "0"); // so that neighbours start level
    this.cw = Math.max(14, Math.min(34, Math.floor(room(across) / this.S)));
    this.ch = Math.max(16, Math.min(24, this.cw));
    for (const panel of this.panels) this.draw(panel);
    this.show();
    const first = this.panels[0].scroll;
    if (first.scrollWidth > first.clientWidth) {
      first.scrollLeft = LABEL + this.data.key * this.cw - first.clientWidth / 2;
    }
  }

  colour(panel, value) {
    const table = this.ramps[panel.scale];
    if (!panel.limit) return table[panel.scale === "sequential" ? 0 : 128];
    const share = panel.scale === "sequential" ? value / panel.limit : 0.5 + value / panel.limit / 2;
    return table[Math.max(0, Math.min(255, Math.round(255 * share)))];
  }

  draw(panel) {
    const { S, L, cw, ch } = this;
    const { groups, colours } = this.data;
    this.drawQueries(panel);
    const context = sized(panel.canvas, S * cw, TOP + L * ch);
    drawCells(context, {
      rows: L, columns: S, left: 0, top: TOP, width: cw, height: ch, colours,
      isMasked: (row, column) => panel.mask[row * S + column] === 1,
      colour: (row, column) => this.colour(panel, panel.numbers[row * S + column]),
      text: panel.scale === "sequential" && cw >= 24
        ? (row, column) => {
            const share = Math.round(100 * panel.numbers[row * S + column]);
            return share ? String(share) : "";
          }
        : null,
    });
    context.fillStyle = colours.ink;
    context.textAlign = "center";
    context.textBaseline = "middle";
    if (panel.columns === "keys") this.drawKeys(context, groups);
    else this.drawDistances(context);
    this.drawBorder(context, panel);
  }

  // In a canvas of their own, so that they stay in sight when the keys scroll.
  drawQueries(panel) {
    const { tokens, memory, colours } = this.data;
    const context = sized(panel.labels, LABEL, TOP + this.L * this.ch);
    context.fillStyle = colours.ink;
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (let i = 0; i < this.L; i++) {
      context.fillText(tokens[memory + i], 10, TOP + (i + 0.5) * this.ch);
    }
  }

  drawKeys(context, groups) {
    let start = 0;
    for (const group of groups) {
      context.fillStyle = group.colour;
      context.fillRect(start * this.cw, TOP - 6, group.count * this.cw - 1, 4);
      start += group.count;
    }
    context.fillStyle = this.data.colours.ink;
    this.data.tokens.forEach((token, key) =>
      context.fillText(token, (key + 0.5) * this.cw, 10));
  }

  drawDistances(context) {
    const every = Math.ceil((String(this.S - 1).length * 8 + 3) / this.cw);
    context.fillStyle = this.data.colours.soft;
    for (let column = 0; column < this.S; column++) {
      const distance = this.S - 1 - column;
      if (distance % every === 0) {
        context.fillText(String(distance), (column + 0.5) * this.cw, 12);
      }
    }
  }

  // Between memory and segment: straight where columns are keys, a staircase where they are distances.
  drawBorder(context, panel) {
    const { S, L, cw, ch } = this;
    const { memory, colours } = this.data;
    if (!memory) return;
    context.strokeStyle = colours.ink;
    context.lineWidth = 2;
    context.beginPath();
    for (let i = 0; i < L; i++) {
      const x = (panel.columns === "keys" ? memory : S - 1 - i) * cw - 0.5;
      if (i === 0) context.moveTo(x, panel.columns === "keys" ? TOP - 8 : TOP);
      else context.lineTo(x, TOP + i * ch);
      context.lineTo(x, TOP + (i + 1) * ch);
    }
    context.stroke();
  }

  fillKey(panel) {
    const stops = this.data.scales[panel.scale].map(([place, colour]) => `${colour} ${100 * place}%`);
    const bar = make("i");
    bar.style.background = `linear-gradient(90deg, ${stops.join(", ")})`;
    const isShare = panel.scale === "sequential";
    panel.key.replaceChildren(
      isShare ? "0" : "−" + panel.limit.toFixed(1), bar,
      isShare ? Math.round(100 * panel.limit) + "\u00a0%" : "+" + panel.limit.toFixed(1),
      make("i", { className: "hatch" }), panel.columns === "keys" ? "masked" : "no key there");
  }

  pairAt(panel, event) {
    const box = panel.canvas.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left) / this.cw);
    const row = Math.floor((event.clientY - box.top - TOP) / this.ch);
    if (row < 0 || row >= this.L || column < 0 || column >= this.S) return null;
    const key = panel.columns === "keys" ? column : column - (this.L - 1 - row);
    return key < 0 ? null : [row, key];
  }

  columnOf(panel, [row, key]) {
    return panel.columns === "keys" ? key : key + this.L - 1 - row;
  }

  point(pair) {
    this.pointed = pair;
    this.show();
  }

  choose(pair) {
    if (pair && this.data.choosing) this.send("cell", pair);
  }

  press(event) {
    const [row, key] = this.pointed ?? [this.data.query, this.data.key];
    const next = { ArrowLeft: [row, key - 1], ArrowRight: [row, key + 1], ArrowUp: [row - 1, key],
      ArrowDown: [row + 1, key], Home: [row, 0], End: [row, this.S - 1] }[event.key];
    if (next) {
      event.preventDefault();
      this.point([Math.max(0, Math.min(this.L - 1, next[0])), Math.max(0, Math.min(this.S - 1, next[1]))]);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.choose([row, key]);
    }
  }

  place(mark, panel, pair) {
    const column = pair && this.columnOf(panel, pair);
    mark.hidden = !pair || column >= this.S;
    if (mark.hidden) return;
    Object.assign(mark.style, {
      left: LABEL + column * this.cw + "px", top: TOP + pair[0] * this.ch + "px",
      width: this.cw - 1 + "px", height: this.ch - 1 + "px",
    });
  }

  show() {
    const { tokens, memory } = this.data;
    const chosen = [this.data.query, this.data.key];
    const pair = this.pointed ?? chosen;
    const [row, key] = pair;
    const distance = memory + row - key;
    const place = distance > 0 ? `${distance} back` : distance === 0 ? "itself" : `${-distance} ahead: masked`;
    this.root.querySelector(".where").replaceChildren(
      "query ", make("b", {}, `${row} “${tokens[memory + row]}”`), " → key ",
      make("b", {}, `${key} “${tokens[key]}”`), `, ${place}${key < memory ? ", in memory" : ""}`);
    for (const panel of this.panels) {
      this.place(panel.chosen, panel, chosen);
      this.place(panel.hover, panel, this.pointed);
      const column = this.columnOf(panel, pair);
      const at = row * this.S + column;
      const isBlank = column >= this.S || panel.mask[at] === 1;
      const text = isBlank ? "masked" : shown(panel.numbers[at], panel.scale);
      panel.value.textContent = `${this.pointed ? "here" : "chosen"}: ${text}`;
      panel.row.setAttribute("aria-rowindex", row + 1);
      panel.cell.setAttribute("aria-colindex", Math.min(column, this.S - 1) + 1);
      panel.cell.textContent = `query ${row}, key ${key}: ${text}`;
    }
  }

  fillCheck() {
    const { check, note } = this.data;
    this.check.hidden = !check.length && !note;
    if (this.check.hidden) return;
    const parts = [make("h3", {}, "The chosen cell, computed twice")];
    if (check.length) {
      const head = make("tr", {}, make("td"), make("td"),
        ...["NumPy, looked up", "model, shifted", "differ by, in the score"].map((name) => make("th", { scope: "col" }, name)));
      const rows = check.map(([name, how, ...numbers]) => {
        const isSum = numbers[1] !== "";
        return make("tr", isSum ? { className: "is-sum" } : {}, make("th", { scope: "row" }, name),
          make("td", {}, how), ...numbers.map((one) => make("td", {}, one)));
      });
      parts.push(make("div", { className: "box" },
        make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows))));
    }
    if (note) parts.push(make("p", { className: "note" }, note));
    this.check.replaceChildren(...parts);
  }
}

// One query's scores, key by key: two lanes of stacked terms, the weights below, and the numbers of
// one key beside them. Pointing and arrow keys preview here in the browser; a click or Enter chooses,
// and the server hears of it.

const LANES = [
  { terms: ["a", "c"], name: "what it is", formula: "a + c" },
  { terms: ["b", "d"], name: "how far back", formula: "b + d" },
  { terms: ["a", "c", "b", "d"], name: "score", formula: "all four" },
];
const LANES_HEIGHT = 206; // px, shared by the lanes so that a unit is as tall in each
const LEAST_BARS = 22;
const NUMBER = 15; // px, room for the number of the chosen key
const OVERHANG = 14; // px by which a number may stand out of the last column, as in the style sheet
const TERMS = ["a", "b", "c", "d"];
const instances = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".ra");
  if (!instances.has(root)) instances.set(root, new Scores(root));
  instances.get(root).update(data, setTriggerValue);
}

const signed = (value, digits = 2) =>
  (value.toFixed(digits) < 0 ? "−" : "+") + Math.abs(value).toFixed(digits);
const percent = (value, digits = 1) => (100 * value).toFixed(digits) + "\u00a0%";

class Scores {
  constructor(root) {
    this.root = root;
    this.pointed = null;
    this.term = null;
    this.locked = null;
    this.find = (selector) => root.querySelector(selector);
    const table = this.find(".scroll table");
    table.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "touch") this.point(this.keyOf(event.target));
    });
    table.addEventListener("pointerleave", () => this.point(null));
    table.addEventListener("focusin", (event) => this.point(this.keyOf(event.target)));
    table.addEventListener("focusout", () => this.point(null));
    table.addEventListener("click", (event) => this.choose(this.keyOf(event.target)));
    table.addEventListener("keydown", (event) => this.press(event));
    this.buildFormula();
  }

  update(data, send) {
    const had = this.data;
    this.data = data;
    this.send = send;
    this.columns = data.tokens.map((_, key) => key);
    for (const [name, value] of Object.entries(data.colours)) {
      this.root.style.setProperty("--" + name, value);
    }
    this.root.style.setProperty("--columns", data.tokens.length);
    this.find(".finding").textContent = data.finding;
    this.find(".reasons").textContent = data.reasons;
    this.fillFormula();
    this.measure();
    const focused = this.keyOf(this.root.getRootNode().activeElement);
    this.buildTable();
    if (focused !== null) this.buttons[Math.min(focused, this.buttons.length - 1)].focus();
    this.pointed = null;
    this.showReadout();
    if (!had || had.key !== data.key || had.tokens.length !== data.tokens.length) {
      requestAnimationFrame(() => this.reveal()); // when the browser lays out anyway
    }
  }

  // Every term after ÷√d_head, above the average key that the query sees.
  measure() {
    const { terms, seen, scale } = this.data;
    const count = seen.filter(Boolean).length;
    this.above = {};
    for (const name of TERMS) {
      const mean = terms[name].reduce((sum, x, key) => sum + (seen[key] ? x : 0), 0) / count;
      this.above[name] = terms[name].map((x, key) => (seen[key] ? (x - mean) * scale : 0));
    }
    this.lanes = LANES.map((lane) => {
      let [low, high] = [-0.2, 0.2];
      for (const key of this.columns) {
        const values = lane.terms.map((name) => this.above[name][key]);
        high = Math.max(high, values.reduce((sum, x) => sum + Math.max(x, 0), 0));
        low = Math.min(low, values.reduce((sum, x) => sum + Math.min(x, 0), 0));
      }
      const chosen = lane.terms.reduce((sum, name) => sum + this.above[name][this.data.key], 0);
      const [over, under] = chosen >= 0 ? [NUMBER, 3] : [3, NUMBER];
      return { ...lane, low, high, over, under };
    });
    const room = LANES_HEIGHT - LANES.length * (NUMBER + 3);
    this.unit = room / this.lanes.reduce((sum, { low, high }) => sum + high - low, 0);
    for (const lane of this.lanes) {
      lane.height = Math.max(LEAST_BARS, (lane.high - lane.low) * this.unit) + lane.over + lane.under;
    }
  }

  buildFormula() {
    const formula = this.find(".formula");
    formula.append(make("span", {}, "score of key j for query i ="));
    this.pills = TERMS.map((name, place) => {
      const pill = make("button", { type: "button", "aria-pressed": "false" });
      pill.style.setProperty("--fill", `var(--term-${name})`);
      pill.style.setProperty("--fill-ink", `var(--term-${name}-ink)`);
      pill.addEventListener("pointerenter", () => this.mark(name));
      pill.addEventListener("pointerleave", () => this.mark(this.locked));
      pill.addEventListener("focus", () => this.mark(name));
      pill.addEventListener("blur", () => this.mark(this.locked));
      pill.addEventListener("click", () => {
        this.locked = this.locked === name ? null : name;
        this.pills.forEach((one, index) =>
          one.setAttribute("aria-pressed", String(TERMS[index] === this.locked)));
        this.mark(name);
      });
      if (place) formula.append(make("span", {}, "+"));
      formula.append(pill);
      return pill;
    });
    this.ending = make("span", {});
    formula.append(this.ending);
  }

  fillFormula() {
    this.pills.forEach((pill, place) => {
      const [formula, words] = this.data.words[TERMS[place]];
      pill.replaceChildren(make("b", {}, `${TERMS[place]}  ${formula}`), make("span", {}, words));
    });
    this.ending.textContent = `all ÷ √${Math.round(this.data.scale ** -2)}, then softmax`;
    this.mark(this.locked);
  }

  mark(name) {
    this.term = name;
    if (name) this.root.setAttribute("data-term", name);
    else this.root.removeAttribute("data-term");
    this.find(".words").textContent = name
      ? `${name}: ${this.data.words[name][2]}`
      : "Bars: above or below the average key that the query sees. ▬ is the sum of a lane. Point at a term or a key.";
  }

  keyOf(node) {
    const cell = node && node.closest && node.closest("[data-key]");
    return cell ? Number(cell.dataset.key) : null;
  }

  classes(key, ...more) {
    const { seen, query, memory, key: chosen } = this.data;
    return [
      ...more,
      key === memory && memory > 0 ? "border" : "",
      key === memory + query ? "is-query" : "",
      key === chosen ? "is-chosen" : "",
      seen[key] ? "" : "is-hidden",
    ].filter(Boolean).join(" ");
  }

  buildTable() {
    const { tokens, groups, distance, seen } = this.data;
    const head = this.find("thead");
    const body = this.find("tbody");
    const colours = groups.flatMap((group) => Array(group.count).fill(group.colour));
    const top = make("tr", {}, make("td", { className: "side" }));
    for (const group of groups) {
      const isCurrent = group.age === 0;
      const full = isCurrent ? "τ, the current segment" : `memory ${group.name}`;
      const name = group.count < 4 ? group.name : full;
      const cell = make("th", { className: "group" + (isCurrent && groups.length > 1 ? " border" : ""),
        colspan: group.count, scope: "colgroup", title: full }, make("span", {}, name));
      cell.style.setProperty("--group", group.colour);
      top.append(cell);
    }
    const names = make("tr", {}, make("th", { className: "side", scope: "row" }, "key"));
    this.buttons = this.columns.map((key) => {
      const button = make("button", { type: "button", tabindex: key === this.data.key ? 0 : -1,
        "aria-label": this.describe(key), "aria-pressed": String(key === this.data.key) }, tokens[key]);
      const cell = make("th", { className: this.classes(key, "token"), scope: "col", "data-key": key }, button);
      cell.style.setProperty("--group", colours[key]);
      names.append(cell);
      return button;
    });
    const far = make("tr", {}, make("th", { className: "side", scope: "row" }, make("small", {}, "distance")));
    for (const key of this.columns) {
      far.append(make("td", { className: this.classes(key, "distance"), "data-key": key },
        seen[key] ? String(distance[key]) : "–"));
    }
    head.replaceChildren(top, names, far);
    body.replaceChildren(...this.lanes.map((lane) => this.laneRow(lane)), this.weightRow());
    this.cells = new Map(this.columns.map((key) => [key, body.querySelectorAll(`[data-key="${key}"]`)]));
  }

  laneRow(lane) {
    const { name, formula, height } = lane;
    const row = make("tr", {}, make("th", { className: "side", scope: "row" }, name, make("small", {}, formula)));
    for (const key of this.columns) {
      const box = make("div", { className: "lane" });
      box.style.height = height + "px";
      if (this.data.seen[key]) this.fillLane(box, lane, key);
      else box.append(make("span", { className: "sr" }, "masked"));
      row.append(make("td", { className: this.classes(key), "data-key": key }, box));
    }
    return row;
  }

  fillLane(box, { terms, low, under }, key) {
    const at = (value) => under + (value - low) * this.unit;
    const put = (node, bottom) => {
      node.style.bottom = bottom + "px";
      box.append(node);
    };
    put(make("i", { className: "zero" }), at(0));
    let [up, down] = [0, 0];
    for (const term of terms) {
      const value = this.above[term][key];
      const bar = make("i", { className: "term-" + term });
      bar.style.height = Math.abs(value) * this.unit + "px";
      if (value < 0) down += value;
      put(bar, at(value >= 0 ? up : down));
      if (value >= 0) up += value;
    }
    const total = up + down;
    put(make("i", { className: "sum" }), at(total));
    if (key === this.data.key) {
      const number = make("b", { "aria-hidden": "true" }, signed(total, 1));
      put(number, total >= 0 ? at(up) + 2 : at(down) - NUMBER - 1);
    }
    box.append(make("span", { className: "sr" }, signed(total)));
  }

  weightRow() {
    const { weights, seen } = this.data;
    const most = Math.max(...weights);
    const row = make("tr", { className: "weight" },
      make("th", { className: "side", scope: "row" }, "attention", make("small", {}, "softmax,\u00a0%")));
    for (const key of this.columns) {
      const lane = make("div", { className: "lane" });
      if (seen[key]) {
        const height = (72 * weights[key]) / most;
        const bar = make("i", { className: "share" });
        bar.style.height = height + "%";
        lane.append(bar);
        if (weights[key] >= 0.045 || key === this.data.key) {
          const number = make("b", { "aria-hidden": "true" }, String(Math.round(100 * weights[key])));
          number.style.bottom = `calc(${height}% + 1px)`;
          lane.append(number);
        }
      }
      lane.append(make("span", { className: "sr" }, seen[key] ? percent(weights[key]) : "masked, 0\u00a0%"));
      row.append(make("td", { className: this.classes(key), "data-key": key }, lane));
    }
    return row;
  }

  describe(key) {
    const { tokens, seen, weights, memory, query } = this.data;
    if (!seen[key]) return `key ${key}, ${tokens[key]}, after the query: masked`;
    const place = key === memory + query ? "the query itself" : `${this.data.distance[key]} back`;
    return `key ${key}, ${tokens[key]}, ${place}, ${percent(weights[key])}`;
  }

  point(key) {
    if (key === this.pointed) return;
    for (const cell of this.cells?.get(this.pointed) ?? []) cell.classList.remove("is-pointed");
    this.pointed = key;
    for (const cell of this.cells?.get(key) ?? []) cell.classList.add("is-pointed");
    this.showReadout();
  }

  choose(key) {
    if (key !== null && key !== this.data.key) this.send("key", key);
  }

  press(event) {
    const key = this.keyOf(event.target);
    if (key === null) return;
    const last = this.columns.length - 1;
    const next = { ArrowLeft: key - 1, ArrowRight: key + 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const target = this.buttons[Math.max(0, Math.min(last, next))];
    this.buttons.forEach((button) => (button.tabIndex = button === target ? 0 : -1));
    target.focus();
  }

  reveal() {
    const scroll = this.find(".scroll");
    const button = this.buttons[this.data.key];
    if (scroll.scrollWidth <= scroll.clientWidth + OVERHANG) return;
    const place = button.getBoundingClientRect().left - scroll.getBoundingClientRect().left;
    scroll.scrollLeft += place - scroll.clientWidth / 2;
  }

  showReadout() {
    const { tokens, terms, scale, distance, seen, weights, residuals, bound, memory, query } = this.data;
    const key = this.pointed ?? this.data.key;
    const root = Math.round(scale ** -2);
    const asking = tokens[memory + query];
    const place = distance[key] === 0 ? "itself" : `${distance[key]} back`;
    const out = [make("h3", {}, `“${asking}” → “${tokens[key]}”`)];
    const named = `query ${query}, key ${key}`;
    if (!seen[key]) {
      out.push(make("p", {}, `${named}, ${-distance[key]} ahead`),
        make("p", { className: "result" }, "Masked: this key comes after the query. Its weight is 0."));
    } else {
      out.push(make("p", {}, `${named}, ${place}${key < memory ? ", in memory" : ""}`));
      const head = make("tr", {}, make("td", {}), ...["value", `÷√${root}`, "vs average"].map((name) =>
        make("th", { scope: "col" }, name)));
      const line = (label, raw, above, className) => make("tr", className ? { className } : {},
        make("th", { scope: "row" }, label), make("td", {}, signed(raw)),
        make("td", {}, signed(raw * scale)), make("td", {}, signed(above)));
      const rows = TERMS.map((name) => {
        const dot = make("span", { className: "dot" }, name);
        dot.style.setProperty("--fill", `var(--term-${name})`);
        dot.style.setProperty("--fill-ink", `var(--term-${name}-ink)`);
        return line(dot, terms[name][key], this.above[name][key]);
      });
      const total = TERMS.reduce((sum, name) => sum + terms[name][key], 0);
      const above = TERMS.reduce((sum, name) => sum + this.above[name][key], 0);
      rows.push(line("sum", total, above, "total"));
      out.push(make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)),
        make("p", { className: "result" }, "softmax weight ", make("b", {}, percent(weights[key]))),
        make("p", { className: "again" }, "recomputed in NumPy: score off by " +
          `${residuals[key][0]}, weight by ${residuals[key][1]} (✓ means ≤ ${bound})`));
    }
    if (this.pointed === null && key >= memory && key !== memory + query) {
      const ask = make("button", { type: "button" }, `Ask from “${tokens[key]}” instead`);
      ask.addEventListener("click", () => this.send("query", key - memory));
      out.push(ask);
    }
    this.find(".readout").replaceChildren(...out);
  }
}

// Linked tables: rows are segments, columns are positions, a cell is a key. Pointing at a cell or
// moving the focus to it lights its column in every table, here in the browser. A click or Enter
// chooses, and the server hears of it.

const SMALLEST_CELL = 30;
const SMALLEST_CELL_BESIDE = 27;
const LARGEST_CELL = 56;
const ROW_HEADER = 52;
const GAP = 3;
const BESIDE_GAP = 28;
const WIDE = 640;

const instances = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".xlm");
  if (!instances.has(root)) instances.set(root, new LinkedMaps(root));
  const maps = instances.get(root);
  maps.update(data, setTriggerValue);
  return () => root.isConnected || maps.stop(); // also called for an update that another overtook
}

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// What stands there already is left alone.
function flag(node, name, value) {
  if (value === null || value === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value === true ? "" : value)) {
    node.setAttribute(name, value === true ? "" : value);
  }
}

function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

class LinkedMaps {
  constructor(root) {
    this.root = root;
    this.pointed = null;
    this.focused = null;
    this.picked = [];
    this.awaited = null;
    root.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "touch" && !this.isWhereItWasPressed(event)) {
        this.point(this.keyOf(event.target));
      }
    });
    this.notePress = ({ clientX, clientY }) => (this.pressed = { clientX, clientY });
    document.addEventListener("pointerdown", this.notePress, { capture: true, passive: true });
    root.addEventListener("pointerleave", () => this.point(null));
    root.addEventListener("focusin", (event) => this.focus(this.keyOf(event.target)));
    root.addEventListener("focusout", () => this.focus(null));
    root.addEventListener("click", (event) => this.choose(this.keyOf(event.target)));
    root.querySelector("select").addEventListener("change", (event) => {
      this.pointed = this.focused = null;
      this.choose(Number(event.target.value));
    });
    root.addEventListener("keydown", (event) => this.press(event));
    root.addEventListener("scroll", (event) => this.scrollTogether(event.target), true);
    this.width = root.clientWidth; // kept, because asking after every change makes the browser lay out anew
    this.resizing = new ResizeObserver(([{ contentRect }]) => {
      if (this.width === contentRect.width) return;
      this.width = contentRect.width;
      this.layOut();
    });
    this.resizing.observe(root);
  }

  update(data, send) {
    const json = JSON.stringify(data);
    this.send = send;
    if (json !== this.json) this.told = data;
    this.json = json;
    if (data.follow) this.watch();
    this.follow();
  }

  // The sliders, which Streamlit makes anew now and then.
  watch() {
    const controls = document.querySelector(CONTROLS);
    if (controls === this.watched) return;
    this.watched = controls;
    this.following?.disconnect();
    this.following = new MutationObserver(() => {
      cancelAnimationFrame(this.soon); // with the next picture: first of all the server is told
      this.soon = requestAnimationFrame(() => this.follow());
    });
    this.following.observe(controls, { subtree: true, attributeFilter: ["aria-valuetext"] });
  }

  follow() {
    const data = followed(this.told, this.awaited ?? this.told.chosen);
    if (data !== this.data) this.draw(data);
  }

  draw(data) {
    const shape = JSON.stringify([data.rows.length, data.columns, data.maps.length]);
    this.data = data;
    for (const [name, value] of Object.entries(data.colours)) {
      this.root.style.setProperty(`--${name}`, value);
    }
    if (shape !== this.shape) this.build();
    this.shape = shape;
    if (this.question !== data.question) this.picked = [];
    this.question = data.question;
    if (this.awaited === null || this.awaited === data.chosen || data.isAhead) {
      if (!data.isAhead) this.awaited = null;
      this.chosen = data.chosen;
    }
    flag(this.root, "data-linked", data.linked);
    this.fill();
    this.layOut();
    this.mark();
  }

  build() {
    const { columns, maps, rows } = this.data;
    const hadFocus = this.root.contains(document.activeElement);
    this.focused = this.pointed = null;
    this.tables = maps.map(() => {
      const name = element("h2", { class: "xlm-name" });
      const caption = element("p", { class: "xlm-caption" });
      const headers = Array.from({ length: columns }, (_, column) =>
        element("th", { scope: "col" }, String(column)),
      );
      const cells = [];
      const rowHeaders = [];
      const body = element("tbody");
      for (let row = 0; row < rows.length; row += 1) {
        const header = element("th", { scope: "row" });
        rowHeaders.push(header);
        const line = element("tr", {}, header);
        for (let column = 0; column < columns; column += 1) {
          const cell = element(
            "td",
            { role: "gridcell", tabindex: "-1", "data-key": row * columns + column },
            element("small"),
            element("span"),
          );
          cells.push(cell);
          line.append(cell);
        }
        body.append(line);
      }
      const table = element(
        "table",
        { role: "grid" },
        element("thead", {}, element("tr", {}, element("td"), ...headers)),
        body,
      );
      const scroll = element("div", { class: "xlm-scroll" }, table);
      const section = element("section", { class: "xlm-map" }, name, caption, scroll);
      return { name, caption, table, headers, rowHeaders, cells, scroll, section };
    });
    this.root.querySelector(".xlm-pair").replaceChildren(...this.tables.map((t) => t.section));
    if (hadFocus) this.refocus = true;
  }

  fill() {
    const { maps, rows, tokens, fills, ahead, query, marks, legend } = this.data;
    this.tables.forEach((table, index) => {
      const map = maps[index];
      write(table.name, map.name);
      table.name.hidden = !map.name;
      write(table.caption, map.caption);
      table.caption.hidden = !map.caption;
      flag(table.table, "aria-label", `${map.name || map.spoken}. ${map.caption}`);
      table.rowHeaders.forEach((header, row) => write(header, rows[row]));
      table.cells.forEach((cell, key) => {
        const value = map.values[key];
        const mark = marks[key] ?? null;
        write(cell.children[0], tokens[key] ?? "");
        write(cell.children[1], value);
        cell.style.setProperty("--fill", fills[Math.floor(key / this.data.columns)]);
        flag(cell, "data-ahead", ahead[key]);
        flag(cell, "data-query", key === query);
        flag(cell, "data-mark", mark);
        const facts = [map.spoken];
        if (ahead[key]) facts.push("after the query, hidden");
        if (key === query) facts.push("the query");
        if (mark) facts.push(mark);
        flag(cell, "aria-description", facts.join(", "));
      });
    });
    if (this.data.isAhead) return; // the words wait for the server
    this.fillSelect();
    this.root.querySelector(".xlm-facts").replaceChildren(
      ...this.data.facts.map(([number, counts]) =>
        element("div", {}, element("dt", {}, counts), element("dd", {}, number)),
      ),
    );
    this.root.querySelector(".xlm-legend").replaceChildren(
      ...Object.entries(legend).map(([sign, text]) =>
        element("li", {}, element("i", { "data-sign": sign, "aria-hidden": "true" }), text),
      ),
    );
  }

  fillSelect() {
    const { rows, columns, tokens, selects } = this.data;
    this.root.querySelector(".xlm-choice").hidden = !selects;
    if (!selects) return;
    const options = Array.from({ length: rows.length * columns }, (_, key) => {
      const token = tokens[key] ? ` ${tokens[key]}` : "";
      const place = `${rows[Math.floor(key / columns)]}, position ${key % columns}`;
      return element("option", { value: key }, `${key}:${token} in ${place}`);
    });
    this.root.querySelector("select").replaceChildren(...options);
  }

  layOut() {
    const { columns, maps, rows } = this.data;
    const { width } = this;
    const room = (available) => Math.floor((available - ROW_HEADER) / columns) - GAP;
    const half = room((width - BESIDE_GAP) / 2);
    const isPair = maps.length === 2 && width >= WIDE;
    const isBeside = isPair && half >= SMALLEST_CELL_BESIDE;
    const cell = isBeside ? half : Math.max(SMALLEST_CELL, room(width));
    const isStacked = maps.length === 2 && !isBeside;
    flag(this.root, "data-beside", isBeside);
    flag(this.root, "data-stacked", isPair && isStacked);
    flag(this.root, "data-small", Math.min(cell, 99) < 32);
    this.root.style.setProperty("--cell", `${Math.min(cell, LARGEST_CELL)}px`);
    const height = isPair && isStacked ? 33 : isPair && rows.length <= 3 ? 44 : 38;
    this.root.style.setProperty("--cell-height", `${height}px`);
  }

  mark() {
    const shown = this.pointed ?? this.focused ?? this.chosen;
    const { columns, sentences, linked } = this.data;
    const column = shown === null ? null : shown % columns;
    for (const table of this.tables) {
      table.headers.forEach((header, p) => flag(header, "data-lit", linked && p === column));
      table.cells.forEach((cell, key) => {
        const isSelf = key === shown;
        const isLit = shown !== null && (linked ? key % columns === column : isSelf);
        flag(cell, "data-lit", isLit ? (isSelf ? "self" : "twin") : null);
        flag(cell, "data-picked", this.picked.includes(key));
        flag(cell, "aria-selected", String(key === this.chosen || this.picked.includes(key)));
        flag(cell, "tabindex", key === (this.focused ?? this.chosen ?? 0) ? 0 : -1);
      });
    }
    if (this.data.selects && !this.data.isAhead) this.root.querySelector("select").value = this.chosen;
    if (!this.data.isAhead) this.say(column === null ? [] : (sentences[column] ?? []));
    if (this.refocus) this.tables[0].cells[this.chosen ?? 0].focus();
    this.refocus = false;
  }

  say(parts) {
    const place = this.root.querySelector(".xlm-say");
    place.hidden = !this.data.sentences.length;
    place.replaceChildren(
      ...parts.map((part, index) => (index % 2 ? element("b", {}, part) : part)),
    );
  }

  announce() {
    this.root.querySelector(".xlm-spoken").textContent =
      this.root.querySelector(".xlm-say").textContent;
  }

  // A list that closes under the pointer bares a cell; nobody has pointed at that.
  isWhereItWasPressed({ clientX, clientY }) {
    return this.pressed?.clientX === clientX && this.pressed?.clientY === clientY;
  }

  stop() {
    document.removeEventListener("pointerdown", this.notePress, { capture: true });
    this.resizing.disconnect();
    this.following?.disconnect();
  }

  keyOf(target) {
    const cell = target.closest?.("[data-key]");
    return cell ? Number(cell.dataset.key) : null;
  }

  point(key) {
    if (key === this.pointed) return;
    this.pointed = key;
    this.mark();
  }

  focus(key) {
    this.focused = key;
    this.mark();
  }

  choose(key) {
    if (key === null || this.data.picks === 0) return;
    if (this.data.picks > 1) return this.pick(key);
    this.chosen = this.awaited = key;
    this.mark();
    this.announce();
    this.send("chosen", key);
    setTimeout(() => (this.awaited = null), 2000);
  }

  pick(key) {
    const isPicked = this.picked.includes(key);
    this.picked = isPicked ? this.picked.filter((one) => one !== key) : [...this.picked, key];
    this.mark();
    if (this.picked.length < this.data.picks) return;
    this.send("chosen", this.picked);
    this.picked = [];
  }

  press(event) {
    const key = this.keyOf(event.target);
    if (key === null || event.altKey || event.metaKey) return;
    const { columns, rows } = this.data;
    const last = rows.length * columns - 1;
    const start = Math.floor(key / columns) * columns;
    const goals = {
      ArrowLeft: key - 1,
      ArrowRight: key + 1,
      ArrowUp: key - columns,
      ArrowDown: key + columns,
      Home: event.ctrlKey ? 0 : start,
      End: event.ctrlKey ? last : start + columns - 1,
    };
    if (event.key in goals) {
      event.preventDefault();
      const goal = goals[event.key];
      const table = this.tables.find((one) => one.cells.includes(event.target));
      if (goal >= 0 && goal <= last) table.cells[goal].focus();
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.choose(key);
    }
  }

  scrollTogether(scrolled) {
    for (const { scroll } of this.tables ?? []) {
      if (scroll !== scrolled && scroll.scrollLeft !== scrolled.scrollLeft) {
        scroll.scrollLeft = scrolled.scrollLeft;
      }
    }
  }
}

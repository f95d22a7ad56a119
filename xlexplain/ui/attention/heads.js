// Small multiples of every head. A click makes a head the chosen one.

const instances = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".rh");
  if (!instances.has(root)) instances.set(root, new Heads(root));
  instances.get(root).update(data, setTriggerValue);
}

class Heads {
  constructor(root) {
    this.root = root;
    root.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) this.send("head", [Number(button.dataset.layer), Number(button.dataset.head)]);
    });
    root.addEventListener("keydown", (event) => this.press(event));
  }

  update(data, send) {
    this.send = send;
    const { colours, heads, rows, columns } = data;
    for (const [name, value] of Object.entries(colours)) this.root.style.setProperty("--" + name, value);
    this.root.style.setProperty("--height", Math.max(36, Math.min(110, (rows / columns) * 150)) + "px");
    const wasFocused = this.root.getRootNode().activeElement?.tagName === "BUTTON";
    const table = ramp(data.scale);
    const mask = bytes(data.masked);
    const names = heads[0].map((_, head) => make("th", { scope: "col" }, `head ${head + 1}`));
    this.root.querySelector("thead").replaceChildren(make("tr", {}, make("td"), ...names));
    this.buttons = [];
    const lines = heads.map((line, layer) => make("tr", {},
      make("th", { scope: "row" }, `layer ${layer + 1}`),
      ...line.map((one, head) => make("td", {}, this.thumbnail(one, { data, table, mask, layer, head })))));
    this.root.querySelector("tbody").replaceChildren(...lines);
    if (wasFocused) this.buttons[data.layer][data.head].focus();
    requestAnimationFrame(() => this.reveal(this.buttons[data.layer][data.head])); // when the browser lays out anyway
  }

  reveal(button) {
    const box = this.root.querySelector(".box");
    const [inside, outside] = [button.getBoundingClientRect(), box.getBoundingClientRect()];
    box.scrollLeft += Math.max(0, inside.right + 6 - outside.right);
  }

  thumbnail(one, { data, table, mask, layer, head }) {
    const isChosen = layer === data.layer && head === data.head;
    const canvas = make("canvas", { "aria-hidden": "true" });
    const { rows, columns } = data;
    const size = Math.max(2, Math.min(12, Math.round(240 / columns)));
    [canvas.width, canvas.height] = [columns * size, rows * size];
    canvas.style.imageRendering = columns * size > 260 ? "auto" : "pixelated";
    const context = canvas.getContext("2d");
    const values = bytes(one.values);
    drawCells(context, { rows, columns, left: 0, top: 0, width: size, height: size, gap: 0,
      colours: data.colours, isMasked: (row, column) => mask[row * columns + column] === 1,
      colour: (row, column) => table[values[row * columns + column]] });
    if (data.memory) {
      context.fillStyle = data.colours.ink;
      const line = Math.max(2, Math.round((columns * size) / 90));
      context.fillRect(data.memory * size - line / 2, 0, line, rows * size);
    }
    const button = make("button", { type: "button", "data-layer": layer, "data-head": head,
      "aria-label": one.label, "aria-pressed": String(isChosen), tabindex: isChosen ? "0" : "-1" },
      canvas, make("span", {}, one.caption));
    (this.buttons[layer] ??= []).push(button);
    return button;
  }

  press(event) {
    const button = event.target.closest("button");
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!button || !step) return;
    event.preventDefault();
    const target = this.buttons[Number(button.dataset.layer) + step[0]]?.[Number(button.dataset.head) + step[1]];
    if (!target) return;
    for (const one of this.buttons.flat()) one.tabIndex = one === target ? 0 : -1;
    target.focus();
  }
}

// The same text once for each reading; the colour of every character, and the bar below it, say what
// it cost in bits.

const instances = new WeakMap();

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".rb");
  if (!instances.has(root)) instances.set(root, new Surprise(root));
  instances.get(root).update(data);
}

class Surprise {
  constructor(root) {
    this.root = root;
    this.input = root.querySelector("input");
    this.input.addEventListener("input", () => this.point(Number(this.input.value)));
    root.addEventListener("pointerover", (event) => {
      const span = event.target.closest("[data-place]");
      if (span) this.point(Number(span.dataset.place));
    });
  }

  update(data) {
    this.data = data;
    for (const [name, value] of Object.entries(data.colours)) this.root.style.setProperty("--" + name, value);
    const starts = new Set(data.starts);
    this.spans = data.panels.map((panel) => data.tokens.map((token, place) => {
      const bits = panel.bits[place];
      const span = make("span", { "data-place": place }, token);
      const kind = panel.kind === "cost" ? "" : bits < 0 ? "lost" : "saved";
      span.className = [kind, starts.has(place) && place ? "is-first" : ""].join(" ");
      const [fill, ink] = this.coloured(panel.kind, bits);
      span.style.setProperty("--fill", fill);
      span.style.setProperty("--fill-ink", ink);
      span.style.setProperty("--height", Math.min(100, (100 * Math.abs(bits ?? 0)) / data.full) + "%");
      return span;
    }));
    this.root.querySelector(".panels").replaceChildren(...data.panels.map((panel, index) =>
      make("div", {}, make("h3", {}, panel.name), make("p", { className: "figure" }, panel.figure),
        make("p", { className: "text" }, ...this.spans[index]))));
    const last = data.tokens.length - 1;
    this.root.querySelector(".scrub").hidden = last < 1;
    this.input.max = Math.max(1, last);
    this.point(Math.min(this.at ?? this.widest(), last));
  }

  // The nearest step of the panel's ramp, as [fill, ink]; costs start at 0, differences at −full.
  coloured(kind, bits) {
    if (bits === null) return ["var(--panel)", "var(--ink)"];
    const ramp = this.data.ramps[kind], least = kind === "cost" ? 0 : -this.data.full;
    const share = Math.max(0, Math.min(1, (bits - least) / (this.data.full - least)));
    return ramp[Math.round(share * (ramp.length - 1))];
  }

  // Where the readings differ most.
  widest() {
    const [first, second] = [0, 1].map((at) => this.data.panels[at]?.bits ?? []);
    let best = 0;
    first.forEach((bits, place) => {
      const gap = (at) => Math.abs((second[at] ?? 0) - (first[at] ?? 0));
      if (gap(place) > gap(best)) best = place;
    });
    return best;
  }

  point(place) {
    for (const row of this.spans) {
      row[this.at]?.classList.remove("is-pointed");
      row[place]?.classList.add("is-pointed");
    }
    this.at = place;
    this.input.value = place;
    const { tokens, panels } = this.data;
    const parts = panels.filter((panel) => panel.bits[place] !== null)
      .map((panel) => `${panel.name.toLowerCase()} ${panel.bits[place].toFixed(2).replace("-", "−")} bits`);
    const words = parts.length ? parts.join(", ") : "the first character is predicted by nothing";
    this.root.querySelector(".say").textContent = `${place} “${tokens[place]}”: ${words}`;
    this.input.setAttribute("aria-valuetext", `${tokens[place]}: ${words}`);
  }
}

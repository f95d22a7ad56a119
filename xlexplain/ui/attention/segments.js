// The whole text on a tape that moves one segment at a time; the matrix of the chosen head follows.
// All of it runs here; the server hears only of "look at this segment above".

const LABEL = 24;
const BEAT = 1100;
const instances = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".rs");
  if (!instances.has(root)) instances.set(root, new Segments(root));
  instances.get(root).update(data, setTriggerValue);
  return () => instances.get(root).stop();
}

class Segments {
  constructor(root) {
    this.root = root;
    this.timer = null;
    this.find = (selector) => root.querySelector(selector);
    this.find(".back").addEventListener("click", () => this.go(this.at - 1));
    this.find(".next").addEventListener("click", () => this.go(this.at + 1));
    this.find(".play").addEventListener("click", () => (this.timer ? this.stop() : this.play()));
    this.find("input").addEventListener("input", (event) => this.go(Number(event.target.value)));
    this.find("select").addEventListener("change", () => { if (this.timer) this.play(); });
    this.find(".use").addEventListener("click", () => this.send("segment", this.at));
    new ResizeObserver(() => this.data && this.layOut()).observe(root);
  }

  update(data, send) {
    const given = JSON.stringify([data.segment, data.length, data.memory, data.tokens.length]);
    this.data = data;
    this.send = send;
    this.table = ramp(data.scale);
    for (const [name, value] of Object.entries(data.colours)) this.root.style.setProperty("--" + name, value);
    this.find("input").max = data.frames.length - 1;
    this.spans = data.tokens.map((token) => make("span", {}, token));
    this.find(".tape").replaceChildren(...this.spans);
    if (given !== this.given) this.at = data.segment;
    this.given = given;
    this.width = 0;
    this.layOut();
  }

  layOut() {
    if (!this.root.clientWidth || this.root.clientWidth === this.width) return;
    this.width = this.root.clientWidth;
    const { memory, length } = this.data;
    const columns = memory + length + Math.min(length, 6);
    this.cw = Math.max(14, Math.min(34, Math.floor((this.width - LABEL - 4) / columns)));
    this.root.style.setProperty("--cw", this.cw + "px");
    this.root.style.setProperty("--window", columns * this.cw + "px");
    this.show();
    const box = this.find(".box");
    const end = LABEL + (memory + length) * this.cw;
    box.scrollLeft = Math.min(end - box.clientWidth, LABEL + (memory - 4) * this.cw);
  }

  play() {
    this.stop();
    if (this.at === this.data.frames.length - 1) this.go(0);
    const beat = BEAT * Number(this.find("select").value);
    this.timer = setInterval(() => {
      if (this.at >= this.data.frames.length - 1) this.stop();
      else this.move(this.at + 1);
    }, beat);
    this.find(".play").textContent = "❚❚ Pause";
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.find(".play").textContent = "▶ Play";
  }

  go(segment) {
    this.stop();
    this.move(segment);
  }

  move(segment) {
    this.at = Math.max(0, Math.min(this.data.frames.length - 1, segment));
    this.show();
  }

  show() {
    const { frames, memory, length, ages } = this.data;
    const frame = frames[this.at];
    const pace = Math.min(600, 500 * Number(this.find("select").value));
    this.root.style.setProperty("--pace", pace + "ms");
    this.root.style.setProperty("--shift", (memory - frame.start) * this.cw + "px");
    this.spans.forEach((span, place) => {
      const offset = place - frame.start;
      const isAhead = offset >= frame.count;
      const isForgotten = offset < -frame.memory;
      span.className = [isAhead ? "is-ahead" : "", isForgotten ? "is-forgotten" : "",
        offset === 0 ? "is-first" : ""].join(" ");
      const age = Math.min(ages.length - 1, -Math.floor(offset / length));
      span.style.setProperty("--fill", isAhead || isForgotten ? "transparent" : ages[age]);
    });
    this.find("input").value = this.at;
    this.find("input").setAttribute("aria-valuetext", `segment ${this.at}`);
    this.find(".back").disabled = this.at === 0;
    this.find(".next").disabled = this.at === frames.length - 1;
    const use = this.find(".use");
    use.textContent = `Look at segment ${this.at} above`;
    use.disabled = this.at === this.data.segment;
    this.find(".say").textContent = this.words(frame);
    this.draw(frame);
  }

  words(frame) {
    const { memory, length, frames } = this.data;
    const reads = frame.memory
      ? `reads ${frame.memory} tokens of memory, and this head sends ${Math.round(100 * frame.share)}\u00a0% of its attention there`
      : "finds an empty memory";
    const lost = frame.start - frame.memory;
    const forgets = lost > 0 ? ` The ${lost} tokens before that are forgotten.` : "";
    return `Segment ${this.at} (0–${frames.length - 1}) ${memory ? reads : "has no memory to read"}.${forgets}`;
  }

  draw(frame) {
    const { tokens, memory, limit, colours } = this.data;
    const [cw, ch] = [this.cw, Math.max(16, Math.min(24, this.cw))];
    const S = frame.memory + frame.count;
    const rows = this.data.length;
    const canvas = this.find(".cells");
    const context = sized(canvas, (memory + rows) * cw, rows * ch + 2);
    const left = (memory - frame.memory) * cw;
    const values = new Uint16Array(bytes(frame.values).buffer);
    drawCells(context, { rows: frame.count, columns: S, left, top: 0, width: cw, height: ch, colours,
      isMasked: (row, column) => column > row + frame.memory,
      colour: (row, column) => this.table[values[row * S + column] >> 8],
      text: cw >= 24 ? (row, column) => {
        const share = Math.round((values[row * S + column] / 65535) * limit * 100);
        return share ? String(share) : "";
      } : null });
    context.fillStyle = colours.ink;
    if (frame.memory) context.fillRect(memory * cw - 1.5, 0, 2, frame.count * ch);
    const labels = sized(this.find(".labels"), LABEL, rows * ch + 2);
    labels.fillStyle = colours.ink;
    [labels.textAlign, labels.textBaseline] = ["center", "middle"];
    for (let i = 0; i < frame.count; i++) labels.fillText(tokens[frame.start + i], 10, (i + 0.5) * ch);
    canvas.setAttribute("aria-label", `Weights of ${frame.count} queries × ${S} keys. ${this.words(frame)}`);
  }
}

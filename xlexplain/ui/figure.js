// Draws plotly figures in place, and plays the frames of those that have some. What is drawn comes
// from Python; nothing here knows what a figure shows.

const MOVE = 900, REST = 700; // ms at speed 1, as in figures/player.py
const STILL = matchMedia("(prefers-reduced-motion: reduce)");
// Plotly's toolbar covers words, and one of its buttons leads to a cloud.
const CONFIG = { responsive: true, displayModeBar: false, logging: 0 };
const IDLE = "[data-testid=stApp][data-test-script-state=notRunning]";
const NUMBERS = { f4: Float32Array, f8: Float64Array, i1: Int8Array, u1: Uint8Array, i2: Int16Array, u2: Uint16Array, i4: Int32Array, u4: Uint32Array };
const BODY = `
  <p class="xl-title"></p><p class="xl-subtitle"></p>
  <div class="xl-body">
    <div class="xl-scroll"><div class="xl-plot" role="img"></div></div>
    <div class="xl-player" role="group" aria-label="Animation" hidden>
      <button type="button" class="xl-play"></button>
      <button type="button" class="xl-back" aria-label="Back">❙◀</button>
      <button type="button" class="xl-next" aria-label="Next">▶❙</button>
      <input type="range" class="xl-scrub" min="0" step="1" aria-label="Frame">
      <output class="xl-name"></output>
      <label class="xl-pace">Speed <select class="xl-speed"><option value="0.5">½×</option><option value="1">1×</option><option value="2">2×</option><option value="4">4×</option></select></label>
    </div>
    <ol class="xl-frames" hidden></ol>
    <button type="button" class="xl-save">Save as a picture</button>
    <details class="xl-numbers"><summary>Numbers as a table</summary><div class="xl-table" role="region" aria-label="Numbers of the figure" tabindex="0"></div></details>
  </div>`;

const PAPER = 690, HALF = 320; // px that A4 and Letter have room for; what is narrower fits
const figures = new WeakMap();
let library = null;

// Letters shrink with a drawing that is only scaled to the paper, so it is drawn anew before.
for (const name of ["beforeprint", "afterprint"]) {
  window.addEventListener(name, () => {
    for (const root of document.querySelectorAll(".xl-figure[data-state]")) figures.get(root)?.[name]();
  });
}

export async function show({ data, setTriggerValue }, root) {
  const figure = figures.get(root) ?? new Figure(root);
  figures.set(root, figure);
  figure.latest = data;
  figure.plot.setAttribute("aria-label", data.alt);
  library ??= load(data.addresses[1]);
  await library;
  await figure.press;
  if (root.isConnected && figure.latest === data) await figure.update(data, setTriggerValue);
}

function load(address) {
  return new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = new URL(address, document.baseURI);
    script.onload = () => (window.Plotly ? done() : failed(new Error(`${address} is not plotly.js`)));
    script.onerror = () => failed(new Error(`${address} could not be loaded`));
    document.head.append(script);
  });
}

class Figure {
  constructor(root) {
    root.innerHTML = BODY;
    this.root = root;
    this.find = (name) => root.querySelector(`.xl-${name}`);
    this.plot = this.find("plot");
    this.frame = 0;
    this.told = []; // frames that the server has heard of and has not answered yet
    this.turn = 0; // counts moves: an older one that ends late changes nothing
    this.find("play").onclick = () => (this.isPlaying ? this.rest() : this.play());
    this.find("back").onclick = () => this.step(this.frame - 1);
    this.find("next").onclick = () => this.step(this.frame + 1);
    this.find("scrub").oninput = (event) => this.go(Number(event.target.value), 0);
    this.find("scrub").onchange = () => this.rest();
    this.find("speed").onchange = (event) => this.send("paced", event.target.value);
    this.find("save").onclick = () => window.Plotly.downloadImage(this.plot, { format: "png", scale: 2, filename: "figure" });
    this.find("numbers").ontoggle = () => this.fillTable();
    this.find("frames").onclick = (event) => {
      const item = event.target.closest("li");
      if (item) this.step([...item.parentElement.children].indexOf(item));
    };
    // A press takes the focus from the text, whose new value may come before the release. Plotly then
    // looks for the clicked point in the new drawing; so the old one stays while it is pressed.
    this.plot.onpointerdown = () => {
      this.press = new Promise((done) => {
        for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(done), { once: true });
      });
    };
    new ResizeObserver(([{ contentRect: { width } }]) => {
      if (width !== this.width && this.layout) this.fit(this.layout);
      this.width = width;
    }).observe(this.find("scroll")); // a phone that is turned
  }

  async update(data, send) {
    this.send = send;
    this.wants = data.wants;
    this.titles = data.titles;
    if (data.speed !== this.speed) this.find("speed").value = this.speed = data.speed;
    const isAnswer = this.told.includes(data.frame);
    if (isAnswer) this.told.splice(0, this.told.indexOf(data.frame) + 1);
    const isMoved = data.frame !== this.given && !isAnswer;
    this.given = data.frame;
    const isNew = data.figure !== this.source;
    if (isNew) {
      this.stop();
      this.source = data.figure;
      const { data: traces, layout, frames } = JSON.parse(data.figure);
      Object.assign(this, { traces, layout, frames, moves: data.moves });
      this.plot.style.minWidth = `${layout.width ?? data.minWidth}px`;
      this.listFrames(data.lists);
    }
    const last = Math.max(0, this.frames.length - 1);
    if (isMoved || this.frame > last) this.frame = Math.min(data.frame, last);
    if (isNew || isMoved) await this.draw();
    else this.say();
  }

  listFrames(isWanted) {
    this.find("player").hidden = this.frames.length < 2;
    this.find("scrub").max = this.frames.length - 1;
    const list = this.find("frames");
    list.hidden = !isWanted;
    if (!isWanted) return;
    list.replaceChildren(...this.frames.map(({ name }) => {
      const [code, note = ""] = name.split("  # ");
      const [item, button, small] = ["li", "button", "small"].map((tag) => document.createElement(tag));
      button.type = "button";
      button.append(code, small);
      small.textContent = note && ` # ${note}`;
      item.append(button);
      return item;
    }));
  }

  // The whole figure as a frame has it; a frame holds only what changes.
  at(number) {
    const frame = this.frames[number] ?? { data: [] };
    const traces = [...this.traces];
    frame.data.forEach((change, place) => {
      const trace = frame.traces?.[place] ?? place;
      traces[trace] = merged(traces[trace], change);
    });
    return { traces, layout: merged(this.layout, frame.layout ?? {}) };
  }

  async draw() {
    this.say();
    const turn = ++this.turn;
    const { traces, layout } = this.at(this.frame);
    await window.Plotly.react(this.plot, traces, layout, CONFIG);
    if (turn !== this.turn) return;
    this.listen();
    this.fit(layout);
    this.root.dataset.state = "still";
    this.fillTable();
  }

  listen() {
    if (this.isListening) return;
    this.isListening = true;
    this.measure();
    this.plot.on("plotly_afterplot", () => this.measure());
    this.plot.on("plotly_click", ({ points: [point] }) => {
      if (!this.wants.chosen || this.isPlaying) return;
      const { customdata = [point.x, point.y] } = point;
      this.send("chosen", { point: ArrayBuffer.isView(customdata) ? [...customdata] : customdata, frame: this.frame });
    });
  }

  // On paper a drawing shrinks with the page, for which it must know the size it was drawn in.
  measure() {
    for (const drawing of this.plot.querySelectorAll(".main-svg")) {
      drawing.setAttribute("viewBox", `0 0 ${drawing.getAttribute("width")} ${drawing.getAttribute("height")}`);
    }
  }

  beforeprint() {
    const page = this.root.closest("[data-testid=stMainBlockContainer]");
    const share = this.find("scroll").clientWidth / page.clientWidth;
    const width = Math.max(share * PAPER, HALF, parseFloat(this.plot.style.minWidth));
    if (width < this.plot.offsetWidth) window.Plotly.relayout(this.plot, { width });
  }

  async afterprint() {
    await this.draw();
    if (!this.layout.width) await window.Plotly.Plots.resize(this.plot);
  }

  // The box is as high as the frame's rows, and shows the middle of interest where it is too narrow.
  fit({ height }) {
    const box = this.find("scroll");
    const meta = this.frames[this.frame]?.layout?.meta ?? this.layout.meta ?? {};
    const shown = meta.height ?? height;
    box.style.height = shown ? `${shown}px` : "";
    const isWide = box.scrollWidth > box.clientWidth; // then the keyboard has to reach it
    if (isWide) Object.assign(box, { tabIndex: 0, role: "region", ariaLabel: "Figure, scrolls sideways" });
    else ["tabindex", "role", "aria-label"].forEach((name) => box.removeAttribute(name));
    if (meta.center !== undefined) box.scrollLeft = meta.center * this.plot.offsetWidth - box.clientWidth / 2;
  }

  say() {
    const [title, subtitle] = this.titles[this.frame] ?? ["", ""];
    const name = this.frames[this.frame]?.name ?? "";
    for (const [place, text] of Object.entries({ title, subtitle, name })) {
      const node = this.find(place);
      if (node.textContent !== text) node.textContent = text;
      node.hidden = !text;
    }
    const last = this.frames.length - 1;
    this.find("scrub").value = this.frame;
    this.find("scrub").setAttribute("aria-valuetext", name);
    this.find("back").disabled = this.frame <= 0;
    this.find("next").disabled = this.frame >= last;
    this.find("play").textContent = this.isPlaying ? "❚❚ Pause" : "▶ Play";
    this.root.dataset.frame = this.frame;
    [...this.find("frames").children].forEach((item, number) => {
      item.firstChild.toggleAttribute("data-current", number === this.frame);
      item.firstChild.setAttribute("aria-current", number === this.frame ? "step" : "false");
    });
  }

  // Show a frame: its points glide there, or it is drawn at once.
  async go(number, milliseconds = MOVE) {
    const last = this.frames.length - 1;
    this.frame = Math.max(0, Math.min(last, number));
    const duration = this.moves && !STILL.matches ? milliseconds / Number(this.find("speed").value) : 0;
    if (duration) {
      const turn = ++this.turn;
      this.root.dataset.state = "moving";
      this.say();
      this.fit(this.layout);
      const { data, traces, layout } = this.frames[this.frame];
      const options = { mode: "immediate", frame: { duration, redraw: false }, transition: { duration, easing: "cubic-in-out" } };
      const { height: _, ...moved } = layout ?? {};
      await Promise.race([
        window.Plotly.animate(this.plot, { data, traces, layout: moved }, options).catch(() => {}), // overtaken
        new Promise((done) => setTimeout(done, 1.5 * duration + 500)),
      ]);
      if (turn !== this.turn) return;
    }
    await this.draw();
  }

  async step(number) {
    this.stop();
    await this.go(number);
    this.rest();
  }

  async play() {
    this.isPlaying = true;
    if (this.frame === this.frames.length - 1) await this.go(0, 0);
    this.say();
    while (this.isPlaying && this.root.isConnected && this.frame < this.frames.length - 1) {
      const pause = (REST + (this.moves && !STILL.matches ? 0 : MOVE)) / Number(this.find("speed").value);
      await new Promise((done) => { this.wait = { timer: setTimeout(done, pause), done }; });
      if (this.isPlaying) await this.go(this.frame + 1);
    }
    if (this.isPlaying) this.rest();
  }

  stop() {
    this.isPlaying = false;
    clearTimeout(this.wait?.timer);
    this.wait?.done();
  }

  // The reader has come to rest on a frame. While a script runs the reader may be on the way to
  // another page, which a message of this one would bring back.
  rest() {
    this.stop();
    this.say();
    if (!this.wants.frame || this.frame === (this.told.at(-1) ?? this.given)) return;
    clearTimeout(this.telling);
    const tell = () => {
      if (!this.root.isConnected || this.isPlaying) return;
      if (!document.querySelector(IDLE)) return void (this.telling = setTimeout(tell, 50));
      this.told.push(this.frame);
      this.send("moved", this.frame);
    };
    tell();
  }

  fillTable() {
    if (!this.find("numbers").open) return;
    const { traces, layout } = this.at(this.frame);
    const rows = traces.filter((trace) => trace.hoverinfo !== "skip").flatMap((trace) => rowsOf(trace, layout));
    const table = document.createElement("table");
    for (const cells of rows) {
      const row = table.insertRow();
      for (const cell of cells) row.insertCell().textContent = words(cell);
    }
    this.find("table").replaceChildren(table);
  }
}

const isPlain = (value) => value !== null && typeof value === "object" && !Array.isArray(value) && !ArrayBuffer.isView(value) && !("bdata" in value);

function merged(base, change) {
  if (!isPlain(base) || !isPlain(change)) return change;
  const names = Object.keys(change);
  return { ...base, ...Object.fromEntries(names.map((name) => [name, merged(base[name], change[name])])) };
}

// Numbers that Python has sent as bytes.
function numbers(values) {
  if (!values?.bdata) return [...(values ?? [])];
  const bytes = Uint8Array.from(atob(values.bdata), (char) => char.charCodeAt(0));
  return [...new NUMBERS[values.dtype](bytes.buffer)];
}

// Plotly's labels are written in a little HTML. A template's content is never part of the page.
function words(label) {
  const template = document.createElement("template");
  template.innerHTML = String(label).replaceAll("<br>", " ");
  return template.content.textContent;
}

function label(axis, value) {
  const place = numbers(axis?.tickvals).indexOf(value);
  return place < 0 ? value : (axis.ticktext?.[place] ?? value);
}

// A trace as rows of a table: a matrix with its labels, else a row a point.
function rowsOf(trace, layout) {
  const [xaxis, yaxis] = ["x", "y"].map((name) => layout[(trace[`${name}axis`] ?? name).replace(/^(.)/, "$1axis")]);
  if (trace.type !== "heatmap") {
    const [x, y, text] = [trace.x, trace.y, trace.text].map((one) => (typeof one === "string" ? [] : numbers(one)));
    const points = (x.length ? x : y).map((_, n) => [trace.name ?? "", label(xaxis, x[n] ?? n), label(yaxis, y[n] ?? n), text[n] ?? ""]);
    return [["", xaxis?.title?.text ?? "x", yaxis?.title?.text ?? "y", ""], ...points];
  }
  const flat = trace.z.bdata ? numbers(trace.z) : trace.z.flat();
  const width = trace.z.bdata ? Number(trace.z.shape.split(",").at(-1)) : trace.z[0].length;
  const place = (name, n) => (trace[name] ? numbers(trace[name])[n] : (trace[`${name}0`] ?? 0) + n * (trace[`d${name}`] ?? 1));
  const head = Array.from({ length: width }, (_, n) => label(xaxis, place("x", n)));
  const cell = (value) => (Number.isFinite(value) ? Math.round(value * 1e4) / 1e4 : "–");
  const rows = Array.from({ length: flat.length / width }, (_, n) => [label(yaxis, place("y", n)), ...flat.slice(n * width, (n + 1) * width).map(cell)]);
  return [[trace.name ?? "", ...head], ...rows];
}

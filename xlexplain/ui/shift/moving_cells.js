// Moves the cells of the relative shift. Where they stand comes in as arrays; nothing here knows the shift.
const MOVE = 1000, REST = 900; // ms at speed 1: one line of code, and the rest after it
const LABELS = 46, HEADER = 22, LEAST_WIDTH = 25, MOST_WIDTH = 42, LEAST_HEIGHT = 17, MOST_HEIGHT = 32, TALL = 17 * 17;
const LOW = 24; // px: below that a bar under a number would touch it
const PLAY = "M3 2v12l11-6z", PAUSE = "M3 2h4v12H3zM9 2h4v12H9z";
const players = new WeakMap();

export default function ({ parentElement, data, setTriggerValue }) {
  let player = players.get(parentElement);
  if (!player || !player.root.isConnected) {
    player = new Player(parentElement.querySelector(".shift"));
    players.set(parentElement, player);
  }
  player.send = setTriggerValue;
  player.show(data);
  const { root } = player;
  return () => root.isConnected || player.close(); // also called for an update that another overtook
}

function element(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

class Player {
  constructor(root) {
    this.root = root;
    this.find = (name) => root.querySelector("." + name);
    this.time = 0; // in stages: 2.5 is half way from stage 2 to stage 3
    this.target = null;
    this.speed = 1;
    this.view = "code";
    this.isPlaying = false;
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.board = this.find("board");
    this.listen();
    this.find("box").onscroll = (event) => this.board.style.setProperty("--scrolled", event.target.scrollLeft + "px");
    this.room = this.find("box").clientWidth; // kept, because asking after every change makes the browser lay out anew
    this.watcher = new ResizeObserver(([{ contentRect }]) => {
      if (this.room === contentRect.width) return;
      this.room = contentRect.width;
      this.fit();
    });
    this.watcher.observe(this.find("box"));
  }

  listen() {
    this.find("play").onclick = () => (this.isPlaying ? this.pause() : this.play());
    this.find("back").onclick = () => this.go(Math.ceil(this.time - 1e-6) - 1);
    this.find("step").onclick = () => this.go(Math.floor(this.time + 1e-6) + 1);
    const scrub = this.find("scrub");
    scrub.oninput = () => { this.pause(); this.moveTo(this.still.matches ? Math.round(scrub.value) : +scrub.value); };
    scrub.onchange = () => this.go(Math.round(scrub.value));
    scrub.onkeydown = (event) => {
      const last = this.stages.length - 1;
      const to = { ArrowLeft: -1, ArrowDown: -1, PageDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 1 }[event.key];
      if (to) this.go(Math.round(this.target ?? this.time) + to);
      else if (event.key === "Home") this.go(0);
      else if (event.key === "End") this.go(last);
      else return;
      event.preventDefault();
    };
    this.find("speed").onchange = (event) => { this.speed = +event.target.value; this.keepSoon(); };
    for (const radio of this.root.querySelectorAll(".views input")) {
      radio.name = "view";
      radio.onchange = () => this.look(radio.value);
    }
    this.find("change").onclick = () => this.send("changed", { cell: this.data.cells.name[this.picked] });
    this.board.onclick = (event) => { const cell = this.cellOf(event); if (cell >= 0) this.pick(cell, true); };
    this.board.onmouseover = this.board.onfocus = (event) => this.tip(this.cellOf(event));
    this.board.onmouseleave = () => this.tip(-1);
    this.board.addEventListener("focusin", (event) => this.tip(this.cellOf(event)));
    this.board.addEventListener("focusout", () => this.tip(-1));
    this.board.onkeydown = (event) => this.walk(event);
  }

  show(data) {
    const isNew = !this.data || this.data.signature !== data.signature;
    const wasTurn = this.data?.changed?.turn;
    this.data = data;
    for (const [name, color] of Object.entries(data.palette)) this.root.style.setProperty("--" + name, color);
    const isOpened = this.picture !== data.start.picture;
    if (isOpened) this.open(data.start);
    if (isNew || isOpened) { this.pause(); this.build(); }
    this.paint();
    if (isOpened) { this.moveTo(data.start.stage); this.keep(); }
    if (!isNew) { this.stages = data.views[this.view]; this.place(); this.fit(); }
    const chosen = data.cells.name.findIndex((_, n) => data.cells.row[n] === data.chosen.query && data.cells.column[n] === data.chosen.key);
    if (isNew || chosen >= 0) this.pick(chosen >= 0 ? chosen : 0, false);
    if (isNew && this.wide > this.room) this.draw(); // so that the picked cell is in sight
    this.find("least").textContent = "−" + data.largest;
    this.find("most").textContent = data.largest;
    this.find("checked").textContent = data.checked;
    this.find("part").textContent = data.shown;
    this.find("part").hidden = !data.shown;
    this.find("age").hidden = data.ages.length < 2;
    this.root.querySelectorAll(".over").forEach((node) => { node.hidden = !data.cells.left.includes(1); });
    this.find("landed").textContent = data.changed?.text ?? "";
    if (data.changed && data.changed.turn !== wasTurn) { this.time = 0; this.play(); }
  }

  // ---- what the address carries; the server need not hear of it

  open({ picture, speed, shown }) {
    this.picture = picture;
    this.stages = null;
    this.speed = speed;
    this.find("speed").value = speed;
    this.view = shown;
    this.root.querySelector(`.views input[value=${shown}]`).checked = true;
  }

  keepSoon() {
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => this.root.isConnected && !this.isMoving() && !isLeaving() && this.keep(), 300);
  }

  keep() {
    const stage = Math.round(this.time), { speed, view } = this;
    (window.xlexplainKept ??= {})[location.pathname] = {
      stage: stage ? String(stage) : null,
      speed: speed === 1 ? null : String(speed),
      shown: view === "code" ? null : view,
    };
    history.replaceState(history.state, "");
    const { bad, ...opened } = this.data.start, now = { stage, speed, shown: view };
    const replaced = bad.filter((name) => now[name] !== opened[name]);
    if (replaced.length) this.send("replaced", replaced);
  }

  // ---- what is drawn

  build() {
    const { cells } = this.data;
    this.board.replaceChildren();
    this.nodes = cells.name.map((name, n) => {
      const node = element("button", "cell" + (cells.distance[n] < 0 ? " pad" : "") + (cells.left[n] ? " left" : ""));
      node.type = "button";
      node.tabIndex = -1;
      node.dataset.cell = name;
      node.dataset.n = n;
      node.append(element("b", "", cells.distance[n] < 0 ? "pad" : String(cells.distance[n])));
      this.board.append(node);
      return node;
    });
    this.look(this.view);
  }

  paint() {
    const { cells, colors, changed } = this.data;
    this.nodes.forEach((node, n) => {
      const [fill, ink] = colors[cells.color[n]];
      node.style.background = fill;
      node.style.color = ink;
      const { who, value } = this.describe(n);
      node.setAttribute("aria-label", `${who}: ${value}. ${this.landing(n)}`);
      node.classList.toggle("changed", changed?.cell === cells.name[n]);
    });
  }

  look(view) {
    const wasLast = this.stages && this.time >= this.stages.length - 1;
    this.pause();
    if (view !== this.view || !this.stages) this.time = wasLast ? this.data.views[view].length - 1 : 0;
    this.view = view;
    this.stages = this.data.views[view];
    this.time = Math.min(this.time, this.stages.length - 1);
    this.find("scrub").max = this.stages.length - 1;
    this.list();
    this.place();
    this.fit();
    this.keepSoon();
  }

  list() {
    const lines = this.find("lines");
    lines.replaceChildren(...this.stages.map((stage, number) => {
      const item = document.createElement("li"), button = element("button", "");
      button.type = "button";
      button.append(element("code", "", stage.code), element("small", "", stage.cost));
      button.onclick = () => { this.pause(); this.go(number); };
      item.append(button);
      return item;
    }));
  }

  // Columns, rows and opacity of every cell at every stage; a cell that is not there waits beside its next or last place.
  place() {
    const count = this.nodes.length;
    this.spots = this.stages.map((stage) => stage.at.map((at) => (at < 0 ? null : [at % stage.columns.length, Math.floor(at / stage.columns.length), 1])));
    for (let n = 0; n < count; n++) {
      for (let s = this.stages.length - 2; s >= 0; s--) {
        const next = this.spots[s + 1][n];
        if (!this.spots[s][n] && next) this.spots[s][n] = [next[0], next[1], 0];
      }
      for (let s = 1; s < this.stages.length; s++) {
        const last = this.spots[s - 1][n];
        if (!this.spots[s][n]) this.spots[s][n] = last ? [last[0], last[1] - (last[2] ? 1.5 : 0), 0] : [0, 0, 0];
      }
    }
  }

  fit() {
    if (!this.stages) return;
    const room = this.room - LABELS - 6;
    const within = (value, least, most) => Math.max(least, Math.min(most, Math.floor(value)));
    const widest = Math.max(...this.stages.map((stage) => stage.columns.length));
    this.width = within(room / widest, LEAST_WIDTH, MOST_WIDTH);
    this.heights = this.stages.map((stage) => within(TALL / stage.rows.length, LEAST_HEIGHT, MOST_HEIGHT));
    const tallest = Math.max(...this.stages.map((stage, s) => stage.rows.length * this.heights[s]));
    this.wide = LABELS + widest * this.width + 6;
    this.board.style.width = this.wide + "px";
    this.board.style.height = HEADER + tallest + 6 + "px";
    this.board.style.setProperty("--w", this.width + "px");
    this.heads();
    this.draw();
  }

  heads() {
    this.board.querySelectorAll(".head, .border, .gap").forEach((old) => old.remove());
    this.labels = this.stages.map((stage, s) => {
      const height = this.heights[s], made = [];
      const add = (node, x, y, w, h) => {
        node.style.transform = `translate(${x}px, ${y}px)`;
        if (w !== null) node.style.width = w + "px";
        node.style.height = h + "px";
        node.setAttribute("aria-hidden", "true");
        this.board.append(node);
        made.push(node);
      };
      add(element("div", "head row", stage.corner), 0, 0, LABELS, HEADER - 4);
      // As wide as its words, so that it can stay in sight however far the matrix is scrolled.
      if (stage.axis) add(element("div", "head axis", stage.axis), LABELS, 0, null, HEADER - 4);
      stage.rowLabels.forEach((label, r) => add(element("div", "head row" + (stage.tokens ? " token" : ""), label), 0, HEADER + r * height, LABELS, height));
      stage.columnLabels.forEach((label, c) => {
        if (!label) return;
        const head = element("div", "head token", label);
        head.style.background = this.data.ages[stage.ages[c]];
        add(head, LABELS + c * this.width + 1, 0, this.width - 2, HEADER - 4);
      });
      stage.columns.forEach((column, c) => {
        if (c && column > stage.columns[c - 1] + 1) add(element("div", "gap upright"), LABELS + c * this.width - 1, HEADER, 0, stage.rows.length * height);
      });
      stage.rows.forEach((row, r) => {
        if (r && row > stage.rows[r - 1] + 1) add(element("div", "gap level"), LABELS, HEADER + r * height - 1, stage.columns.length * this.width, 0);
      });
      const first = stage.ages.indexOf(0);
      if (first > 0) add(element("div", "border"), LABELS + first * this.width - 1, 0, 0, HEADER + stage.rows.length * height);
      return made;
    });
  }

  draw() {
    const last = this.stages.length - 1;
    const from = Math.min(Math.floor(this.time), last), to = Math.min(from + 1, last), part = this.time - from;
    const height = this.heights[from] + (this.heights[to] - this.heights[from]) * ease(part);
    this.board.style.setProperty("--h", height + "px");
    this.board.toggleAttribute("data-low", height < LOW);
    const start = this.spots[from], end = this.spots[to], count = this.nodes.length;
    for (let n = 0; n < count; n++) {
      const f = ease(Math.min(1, Math.max(0, part * 1.5 - (0.5 * n) / count))); // one after another, in memory order
      const [x0, y0, o0] = start[n], [x1, y1, o1] = end[n];
      const x = LABELS + (x0 + (x1 - x0) * f) * this.width, y = HEADER + y0 * this.heights[from] * (1 - f) + y1 * this.heights[to] * f;
      const node = this.nodes[n];
      if (n === this.picked) this.at = x;
      node.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      const opacity = o0 + (o1 - o0) * f;
      if (node.opacity !== opacity) {
        node.style.opacity = node.opacity = opacity;
        node.style.visibility = opacity === 0 ? "hidden" : "visible";
      }
    }
    this.labels.forEach((made, s) => {
      const opacity = Math.max(0, 1 - 2.5 * Math.abs(this.time - s));
      made.forEach((node) => { node.style.opacity = opacity; });
    });
    this.follow();
    this.mark();
  }

  // Where the board is wider than its box, keep the chosen cell in sight.
  follow() {
    const spot = this.picked >= 0 && this.at;
    if (!spot || this.wide <= this.room) return;
    const box = this.find("box");
    box.scrollLeft += (spot - this.room / 2 - box.scrollLeft) * (this.isMoving() ? 0.2 : 1);
  }

  isMoving() {
    return this.isPlaying || this.target !== null;
  }

  // What the words and marks say: the line that runs, or has just run.
  mark() {
    const line = Math.ceil(this.time - 1e-6), stage = this.stages[line], last = this.stages.length - 1;
    const arrived = Math.round(this.time);
    this.find("scrub").value = this.time;
    this.root.dataset.state = this.isMoving() ? "moving" : "still";
    this.root.dataset.stage = line;
    this.root.dataset.view = this.view;
    this.board.toggleAttribute("data-left", this.stages[Math.floor(this.time + 0.5)].showsLeft);
    this.board.toggleAttribute("data-masked", this.time > last - 0.4);
    if (this.marked !== stage) {
      this.marked = stage;
      this.find("finding").textContent = stage.title;
      this.find("why").textContent = stage.why;
      this.find("count").textContent = `${line} / ${last}`;
      this.find("scrub").setAttribute("aria-valuetext", `${line} of ${last}: ${stage.name}`);
      this.board.setAttribute("aria-label", stage.alt);
      this.root.querySelectorAll(".lines button").forEach((button, number) => {
        if (number === line) button.setAttribute("aria-current", "step");
        else button.removeAttribute("aria-current");
      });
    }
    this.find("back").disabled = this.time <= 0;
    this.find("step").disabled = this.time >= last;
    if (this.time === arrived && this.settled !== stage) {
      this.settled = stage;
      this.nodes.forEach((node, n) => {
        const at = stage.at[n], width = stage.columns.length;
        node.dataset.row = at < 0 ? "" : stage.rows[Math.floor(at / width)];
        node.dataset.column = at < 0 ? "" : stage.columns[at % width];
      });
      this.say();
      this.find("spoken").textContent = this.rows(stage);
    }
  }

  // The matrix of a stage in words, row by row.
  rows(stage) {
    const { cells } = this.data, width = stage.columns.length, isMasked = stage === this.stages.at(-1);
    const words = stage.rows.map(() => []);
    stage.at.forEach((at, n) => {
      if (at < 0) return;
      words[Math.floor(at / width)][at % width] = isMasked && cells.left[n] ? "masked" : cells.distance[n] < 0 ? "pad" : `${cells.distance[n]} back ${cells.value[n]}`;
    });
    return words.map((row, r) => `${stage.corner} ${stage.rowLabels[r]}: ${row.filter(Boolean).join(", ")}.`).join(" ");
  }

  // ---- moving

  moveTo(time) {
    this.time = Math.max(0, Math.min(this.stages.length - 1, time));
    this.draw();
    if (!this.isMoving()) this.keepSoon();
  }

  go(stage) {
    this.pause();
    this.target = Math.max(0, Math.min(this.stages.length - 1, stage));
    this.root.dataset.state = "moving";
    if (this.still.matches) { const to = this.target; this.target = null; return this.moveTo(to); }
    this.run();
  }

  play() {
    if (this.time >= this.stages.length - 1) this.time = 0;
    this.isPlaying = true;
    this.root.dataset.state = "moving";
    this.button();
    this.restUntil = performance.now() + 150;
    this.run();
  }

  pause() {
    this.isPlaying = false;
    this.target = null;
    cancelAnimationFrame(this.request);
    this.clock = null;
    this.button();
    if (this.labels) this.root.dataset.state = "still";
    this.keepSoon();
  }

  button() {
    const play = this.find("play");
    play.setAttribute("aria-pressed", this.isPlaying);
    play.querySelector("span").textContent = this.isPlaying ? "Pause" : "Play";
    play.querySelector("path").setAttribute("d", this.isPlaying ? PAUSE : PLAY);
  }

  run() {
    cancelAnimationFrame(this.request);
    this.clock = null;
    const tick = (now) => {
      const passed = Math.min(120, now - (this.clock ?? now));
      this.clock = now;
      this.advance(passed, now);
      if (this.isMoving()) this.request = requestAnimationFrame(tick);
    };
    this.request = requestAnimationFrame(tick);
  }

  advance(passed, now) {
    const last = this.stages.length - 1, way = (passed / MOVE) * this.speed;
    if (this.target !== null) {
      const gap = this.target - this.time, quick = Math.max(1, Math.abs(gap));
      if (Math.abs(gap) <= way * quick) { const to = this.target; this.target = null; return this.moveTo(to); }
      return this.moveTo(this.time + Math.sign(gap) * way * quick);
    }
    if (now < this.restUntil) return;
    const next = Math.floor(this.time + 1e-6) + 1;
    const time = this.still.matches ? next : Math.min(next, this.time + way);
    if (time >= next) this.restUntil = now + (REST + (this.still.matches ? MOVE : 0)) / this.speed;
    if (time >= last) this.pause();
    this.moveTo(time);
  }

  // ---- one cell

  cellOf(event) {
    const node = event.target.closest?.(".cell");
    return node ? +node.dataset.n : -1;
  }

  describe(n) {
    const { cells, tokens } = this.data;
    if (cells.distance[n] < 0) return { who: `The zero in front of query ${cells.query[n]}`, value: "0" };
    return { who: `Query ${cells.query[n]} “${tokens[cells.query[n]]}”, ${cells.distance[n]} back`, value: cells.value[n] };
  }

  tip(n) {
    const tip = this.find("tip");
    tip.hidden = n < 0;
    if (n < 0) return;
    const { who, value } = this.describe(n), node = this.nodes[n];
    tip.textContent = `${who}\nb + d = ${value}`;
    const box = this.find("box"), from = box.getBoundingClientRect(), at = node.getBoundingClientRect();
    const x = at.left - from.left + box.scrollLeft, y = at.top - from.top;
    const left = Math.max(box.scrollLeft, Math.min(x, box.scrollLeft + box.clientWidth - tip.offsetWidth));
    const top = y > tip.offsetHeight + 6 ? y - tip.offsetHeight - 6 : y + at.height + 6;
    tip.style.transform = `translate(${left}px, ${top}px)`;
  }

  landing(n) {
    const { cells, keys } = this.data;
    if (cells.row[n] < 0) return "Dropped with the first row: no key is that far back.";
    if (cells.left[n]) return `Left over in row ${cells.row[n]}, column ${cells.column[n]}: the mask hides it.`;
    return `Lands in row ${cells.row[n]}, column ${cells.column[n]}: key ${cells.column[n]} “${keys[cells.column[n]]}”.`;
  }

  pick(n, isTold) {
    this.picked = n;
    const { cells } = this.data;
    this.nodes.forEach((node, other) => {
      node.classList.toggle("picked", other === n);
      node.classList.toggle("kin", cells.query[other] === cells.query[n]);
      node.tabIndex = other === n ? 0 : -1;
    });
    this.say();
    if (isTold && cells.row[n] >= 0) this.send("chosen", { query: cells.row[n], key: cells.column[n] });
  }

  say() {
    if (this.picked === undefined) return;
    const { who, value } = this.describe(this.picked);
    this.find("who").textContent = who;
    this.find("where").textContent = `b + d = ${value}. ${this.landing(this.picked)}`;
    this.find("change").disabled = this.data.cells.distance[this.picked] < 0;
  }

  walk(event) {
    const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const n = this.cellOf(event);
    if (!move || n < 0) return;
    event.preventDefault();
    const spots = this.spots[Math.round(this.time)];
    const [x, y] = spots[n];
    const next = spots.findIndex(([a, b, shown]) => shown && a === x + move[0] && b === y + move[1]);
    if (next < 0) return;
    this.nodes[n].tabIndex = -1;
    this.nodes[next].tabIndex = 0;
    this.nodes[next].focus();
  }

  close() {
    this.pause();
    this.watcher.disconnect();
  }
}

function ease(part) {
  return part < 0.5 ? 4 * part ** 3 : 1 - (2 - 2 * part) ** 3 / 2;
}

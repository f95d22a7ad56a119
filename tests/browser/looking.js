// What a reader's eyes and assistive software get from a page: texts with their sizes and colours,
// figures with their names, what takes the focus. Looks into open shadow trees.

const roots = (root = document) => [
  root,
  ...[...root.querySelectorAll("*")].flatMap((node) => (node.shadowRoot ? roots(node.shadowRoot) : [])),
];
// What is measured: the page, or a part of it.
let part = null;
const within = (selector) => (part = selector ? document.querySelector(selector) : null);
const places = () => (part ? [part, ...roots(part).slice(1)] : roots());
const everything = (selector) => places().flatMap((root) => [...root.querySelectorAll(selector)]);
const parentOf = (node) => node.parentElement ?? node.getRootNode().host ?? null;

function lineage(node) {
  const line = [];
  for (let one = node; one; one = parentOf(one)) line.push(one);
  return line;
}

function describe(node) {
  const name = (one) => {
    const mark = one.dataset?.testid ?? one.getAttribute("class")?.split(" ")[0];
    return one.tagName.toLowerCase() + (mark ? `.${mark}` : "");
  };
  return lineage(node).slice(0, 4).reverse().map(name).join(" > ");
}

// The part of a box that its ancestors do not cut off.
function seen(node, { left, top, right, bottom }) {
  const box = { left, top, right, bottom };
  for (const one of lineage(node)) {
    if (one.dataset?.testid === "stMain") break; // the page, which scrolls as a whole
    const style = getComputedStyle(one);
    if (style.clipPath === "inset(50%)" || style.clip === "rect(1px, 1px, 1px, 1px)") return null;
    if (one instanceof SVGElement && !(one instanceof SVGSVGElement)) continue;
    const cuts = one === node ? false : style.overflowX !== "visible";
    const edge = one.getBoundingClientRect();
    if (cuts) {
      box.left = Math.max(box.left, edge.left);
      box.right = Math.min(box.right, edge.right);
    }
    if (one !== node && style.overflowY !== "visible") {
      box.top = Math.max(box.top, edge.top);
      box.bottom = Math.min(box.bottom, edge.bottom);
    }
  }
  const isBig = box.right - box.left > 2 && box.bottom - box.top > 2;
  return isBig ? box : null;
}

const isShown = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true });
const isIcon = (node) => lineage(node).some((one) => one.dataset?.testid === "stIconMaterial");
const isDisabled = (node) => lineage(node).some((one) => one.matches(":disabled, [aria-disabled=true]"));

// By how much a text is drawn larger than its style says.
function scale(node) {
  const drawing = node.closest("svg");
  const { a, b } = drawing ? node.getScreenCTM() : { a: 1, b: 0 };
  const isMoved = (one) => one instanceof HTMLElement && getComputedStyle(one).transform !== "none";
  return lineage(drawing ?? node).filter(isMoved).reduce((product, one) => {
    const matrix = new DOMMatrix(getComputedStyle(one).transform);
    return drawing ? product : product * Math.hypot(matrix.a, matrix.b);
  }, Math.hypot(a, b));
}

function channelsOf(paint) {
  const numbers = (paint.match(/[\d.]+(e-?\d+)?/g) ?? [0, 0, 0]).map(Number);
  return paint.startsWith("color(srgb") ? numbers.map((one, place) => (place < 3 ? 255 * one : one)) : numbers;
}

function colour(node) {
  const style = getComputedStyle(node);
  const paint = node instanceof SVGElement ? style.fill : style.webkitTextFillColor;
  const [red, green, blue, alpha = 1] = channelsOf(paint);
  const opacity = lineage(node).reduce((product, one) => product * getComputedStyle(one).opacity, 1);
  return [red, green, blue, alpha * opacity];
}

function texts() {
  const found = [];
  for (const root of places()) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const node = text.parentElement;
      if (!node || !text.data.trim() || node.matches("style, script, title, option, noscript")) continue;
      if (!isShown(node) || isIcon(node)) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const boxes = [...range.getClientRects()].map((box) => seen(node, box)).filter(Boolean);
      if (!boxes.length) continue;
      found.push({
        text: text.data.trim().slice(0, 40),
        where: describe(node),
        size: parseFloat(getComputedStyle(node).fontSize) * scale(node),
        colour: colour(node),
        isDisabled: isDisabled(node),
        boxes,
      });
    }
  }
  return found;
}

// Texts that a style sheet writes.
function written() {
  return everything("*").flatMap((node) =>
    ["::before", "::after"].flatMap((pseudo) => {
      const style = getComputedStyle(node, pseudo);
      const isText = /^".*\S.*"$/.test(style.content);
      if (!isText || !isShown(node) || isIcon(node)) return [];
      return [{ text: style.content, where: describe(node), size: parseFloat(style.fontSize) }];
    }),
  );
}

// Texts of pictures that are drawings of their own, `<img src="data:image/svg+xml,…">`.
function pictured() {
  return everything('img[src^="data:image/svg+xml,"]').flatMap((image) => {
    const source = decodeURIComponent(image.src.slice(image.src.indexOf(",") + 1));
    const drawing = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
    const [, , width] = drawing.getAttribute("viewBox").split(" ").map(Number);
    const scale = image.getBoundingClientRect().width / width;
    return [...drawing.querySelectorAll("text, tspan")].map((text) => ({
      text: text.textContent,
      where: describe(image),
      size: parseFloat(text.closest("[font-size]").getAttribute("font-size")) * scale,
    }));
  });
}

const HIDE = `
*, *::before, *::after, ::placeholder {
  -webkit-text-fill-color: transparent !important; text-shadow: none !important;
  text-decoration-color: transparent !important; caret-color: transparent !important;
}
text, tspan {fill: transparent !important; stroke: transparent !important;}`;

// Resolves once the page stands drawn without its texts.
function hideTexts() {
  for (const root of roots()) {
    const style = document.createElement("style");
    style.className = "looking-hide";
    style.textContent = HIDE;
    (root.head ?? root).append(style);
  }
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

function showTexts() {
  for (const root of roots()) root.querySelector(".looking-hide")?.remove();
}

function named(node) {
  const root = node.getRootNode();
  const byId = (ids) =>
    (ids ?? "").split(" ").map((id) => (id && root.getElementById(id)?.textContent) || "").join(" ");
  return [
    node.getAttribute("aria-label"),
    node.getAttribute("alt"),
    byId(node.getAttribute("aria-labelledby")),
    byId(node.getAttribute("aria-describedby")),
    node.getAttribute("aria-description"),
  ].filter((one) => one?.trim()).join(" ");
}

// Everything drawn rather than written, each with the name of what it stands in.
function figures() {
  return everything("svg, canvas, img, [role=img], [data-testid=stPlotlyChart]")
    .filter((node) => {
      const { width, height, right } = node.getBoundingClientRect();
      return isShown(node) && width > 90 && height > 24 && right > 0;
    })
    .map((node) => {
      const line = lineage(node);
      const stop = line.findIndex((one) => one.matches?.("[data-testid=stElementContainer]"));
      const names = line.slice(0, stop < 0 ? line.length : stop + 1).filter((one) =>
        one.matches("[role=img], [role=group], [role=grid], [role=figure], figure, button, img"),
      );
      const isHidden = line.some((one) => one.getAttribute("aria-hidden") === "true");
      return { where: describe(node), isHidden, name: names.map(named).filter(Boolean).join(" | ") };
    });
}

// What moves by itself or on a change, with how long, in seconds.
function moving() {
  const longest = (times) =>
    Math.max(...times.split(",").map((one) => parseFloat(one) * (one.includes("ms") ? 0.001 : 1)));
  return everything("*").flatMap((node) => {
    const style = getComputedStyle(node);
    const seconds = Math.max(
      longest(style.transitionDuration),
      style.animationName === "none" ? 0 : longest(style.animationDuration),
    );
    return seconds > 0.05 ? [{ where: describe(node), seconds }] : [];
  });
}

// Whether the components stand there and the figures are drawn, and have written their headings.
function isFilled() {
  const isMounted = (node) => node.querySelector("[data-testid=stBidiComponentRegular]");
  return (
    !document.querySelector("[data-testid=stSkeleton]") &&
    everything(".stBidiComponent").every(isMounted) &&
    everything(".xl-figure").every((node) => node.dataset.state === "still") &&
    everything("h1, h2, h3").every((node) => node.textContent.trim() || !isShown(node))
  );
}

// Whether nothing on the page has changed for a moment; false after five seconds of changes.
function rest() {
  return new Promise((resolve) => {
    const end = (isCalm) => {
      watchers.forEach((one) => one.disconnect());
      clearTimeout(late);
      resolve(isCalm);
    };
    let soon = setTimeout(end, 250, true);
    const late = setTimeout(end, 5000, false);
    const watchers = roots().map((root) => {
      const watcher = new MutationObserver(() => {
        clearTimeout(soon);
        soon = setTimeout(end, 250, true);
      });
      watcher.observe(root, { childList: true, subtree: true, attributes: true });
      return watcher;
    });
  });
}

const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex], [contenteditable=true]";

const stops = () =>
  everything(FOCUSABLE).filter(
    (node) => node.tabIndex >= 0 && !isDisabled(node) && node.checkVisibility({ visibilityProperty: true }),
  );

// All stops of the Tab key; of a group of radio buttons only the chosen one is.
let awaited = [];
function awaitStops() {
  const isRadio = (node) => node.type === "radio" || node.getAttribute("role") === "radio";
  const isOne = (node) => !isRadio(node) || node.checked || node.getAttribute("aria-checked") === "true";
  awaited = stops().filter(isOne);
  return awaited.length;
}

function focused() {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node === document.body ? null : node;
}

// What has the focus, and the box around what shows it: an input may be a point in a larger control.
function stop() {
  const node = focused();
  if (!node) return null;
  awaited = awaited.filter((one) => one !== node);
  const isPoint = (one) => Math.min(one.getBoundingClientRect().width, one.getBoundingClientRect().height) < 8;
  const control = lineage(node).find((one) => !isPoint(one) && getComputedStyle(one).opacity > 0);
  const { left, top, right, bottom } = control.getBoundingClientRect();
  const edge = 6;
  const [x, y] = [Math.max(0, left - edge), Math.max(0, top - edge)];
  const width = Math.min(innerWidth, right + edge) - x;
  const height = Math.min(innerHeight, bottom + edge) - y;
  return { where: describe(node), box: { x, y, width, height } };
}

const missed = () => awaited.filter((node) => node.isConnected && isShown(node)).map(describe);

// What a pointer can press and no key can: nothing in it or around it takes the focus.
function pointed() {
  const takesFocus = (node) => node.matches(FOCUSABLE) || node.matches("label");
  return everything("*")
    .filter((node) => getComputedStyle(node).cursor === "pointer" && isShown(node) && !isDisabled(node))
    .filter((node) => !lineage(node).some(takesFocus) && !node.querySelector(FOCUSABLE))
    .map(describe);
}

const looking = {
  within, texts, written, pictured, hideTexts, showTexts, figures, moving, isFilled, rest, describe, awaitStops, stop, missed, pointed, focused, lineage, everything,
};
window.looking = looking;

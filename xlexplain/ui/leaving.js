// Whether the reader has just set out for another page. What a figure of this page tells the server
// then comes after that page has been asked for: Streamlit runs this page, or a part of it, once
// more, and the reader ends up on the wrong page or on an empty one.

const WAY = 5000; // ms until the figure may speak again, if it is still there

const leaving = (window.xlexplainLeaving ??= watchForLeaving());

function watchForLeaving() {
  const state = { since: -Infinity };
  const leave = () => (state.since = performance.now());
  const isLink = (event) => event.composedPath().some((node) => node.localName === "a" && node.href && node.target !== "_blank");
  document.addEventListener("click", (event) => isLink(event) && leave(), { capture: true });
  window.addEventListener("popstate", leave);
  return state;
}

function isLeaving() {
  return performance.now() - leaving.since < WAY;
}

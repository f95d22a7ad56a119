// Streamlit's code blocks and formulas scroll, but a keyboard can't reach them: each that does gets a
// name, and a stop of the Tab key. The script comes with every page; the first one watches for all.

(() => {
  const boxes = { ".stCode pre": "Code", ".katex-display": "Formula" };

  function nameBoxes() {
    for (const [selector, name] of Object.entries(boxes)) {
      for (const box of document.querySelectorAll(selector)) {
        box.closest(".stCode")?.setAttribute("tabindex", "-1"); // it is not what scrolls
        if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) {
          box.tabIndex = 0;
          box.setAttribute("role", "region");
          box.setAttribute("aria-label", `${name}: ${box.textContent.trim().slice(0, 60)}`);
        } else {
          ["tabindex", "role", "aria-label"].forEach((one) => box.removeAttribute(one));
        }
      }
    }
  }

  if (window.xlBoxes) return;
  let timer = null;
  const soon = () => {
    timer ??= setTimeout(() => {
      timer = null;
      nameBoxes();
    }, 100);
  };
  window.xlBoxes = new MutationObserver(soon);
  window.xlBoxes.observe(document.body, { childList: true, subtree: true });
  window.addEventListener("resize", soon);
  document.addEventListener("toggle", soon, true);
  soon();
})();

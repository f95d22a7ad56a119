// Puts the tables in place, keeps them scrolled together, and reports which key was clicked.

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector("div");
  const boxes = () => [...root.querySelectorAll(".xlm-scroll")];
  root.onclick = ({ target }) => {
    const cell = target.closest("[data-key]");
    if (cell) setTriggerValue("chosen", Number(cell.dataset.key));
  };
  if (root.drawn === data.html) return;
  const { scrollLeft = 0, scrollTop = 0 } = boxes()[0] ?? {};
  const focused = boxes().indexOf(document.activeElement);
  root.innerHTML = root.drawn = data.html;
  for (const box of boxes()) {
    Object.assign(box, { scrollLeft, scrollTop });
    box.onscroll = () => boxes().forEach((other) => (other.scrollLeft = box.scrollLeft));
  }
  boxes()[focused]?.focus({ preventScroll: true });
}

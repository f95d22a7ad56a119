// Puts the tables in place, keeps them scrolled together, and reports which key was clicked.

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector("div");
  const boxes = () => [...root.querySelectorAll(".xlm-scroll")];
  root.onclick = ({ target }) => {
    const cell = target.closest("[data-key]");
    if (cell) setTriggerValue("chosen", Number(cell.dataset.key));
  };
  // A press takes the focus from the text, whose new value may come before the release; and a browser
  // sends no click from a cell that is gone by then. So the tables stay while they are pressed.
  root.onpointerdown = () => {
    root.isPressed = true;
    const release = () => setTimeout(() => {
      root.isPressed = false;
      draw();
    });
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, release, { once: true });
  };
  root.latest = data.html;
  draw();

  function draw() {
    if (root.isPressed || root.drawn === root.latest) return;
    const { scrollLeft = 0, scrollTop = 0 } = boxes()[0] ?? {};
    const focused = boxes().indexOf(document.activeElement);
    root.innerHTML = root.drawn = root.latest;
    for (const box of boxes()) {
      Object.assign(box, { scrollLeft, scrollTop });
      box.onscroll = () => boxes().forEach((other) => (other.scrollLeft = box.scrollLeft));
    }
    boxes()[focused]?.focus({ preventScroll: true });
  }
}

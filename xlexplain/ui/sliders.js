// A finger that swipes past a slider leaves it as it is. Streamlit's slider moves its thumb to wherever
// a finger comes down, so that who scrolls the page by its track changes it. Here it hears of the finger
// once that goes sideways; a tap reaches it by the mouse's events, which browsers send after one.

window.xlexplainSliders ??= (() => {
  const TRACK = "[data-testid=stSlider] [style*=touch-action]:has(> [style*=touch-action])";
  let down = null;

  for (const name of ["pointerdown", "touchstart"]) {
    document.addEventListener(name, (event) => {
      const isFinger = event.isTrusted && (event.pointerType ?? "touch") === "touch";
      if (!isFinger || !event.target.closest("[style*=touch-action]")?.matches(TRACK)) return; // else the thumb
      event.stopImmediatePropagation();
      if (event.pointerType) down = event;
    }, { capture: true });
  }
  document.addEventListener("pointermove", (event) => {
    if (event.pointerId !== down?.pointerId) return;
    const isSideways = Math.abs(event.clientX - down.clientX) > Math.abs(event.clientY - down.clientY);
    if (isSideways) down.target.dispatchEvent(new PointerEvent("pointerdown", down));
    down = null;
  }, { capture: true });
  for (const name of ["pointerup", "pointercancel"]) {
    document.addEventListener(name, () => { down = null; }, { capture: true });
  }
  return true;
})();

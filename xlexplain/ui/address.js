// One entry in the browser's history for each page that was visited: what the server writes about the
// page that is shown corrects its entry. Streamlit makes a new one of every change, and readers would
// go back through every position of a slider. The link out of an iframe follows the address.

window.xlexplainAddress ??= (() => {
  const change = {
    pushState: history.pushState.bind(history),
    replaceState: history.replaceState.bind(history),
  };
  for (const name of Object.keys(change)) {
    history[name] = (state, title, address) => {
      const to = new URL(address ?? location.href, location.href);
      const isSamePage = to.pathname === location.pathname;
      if (!isSamePage && isBack) return; // an answer from a page that the reader has left since
      if (isSamePage && performance.now() - setOut < WAY) return; // it is the next page's already
      setOut = -Infinity;
      change[isSamePage ? "replaceState" : name](state, title, to);
    };
  }
  const WAY = 5000; // ms that a page may take to come
  let isBack = false, setOut = -Infinity;
  window.addEventListener("popstate", () => {
    isBack = true;
    setOut = -Infinity;
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || link.target === "_blank" || event.ctrlKey || event.metaKey || event.shiftKey) return;
    isBack = false;
    if (link.origin === location.origin && link.pathname !== location.pathname) setOut = performance.now();
  }, { capture: true });
  for (const name of ["pointerover", "pointerdown", "focusin", "click"]) {
    document.addEventListener(name, follow, { capture: true });
  }
  history.replaceState(history.state, "");
  return true;

  function follow(event) {
    const link = event.target.closest?.(".xl-out");
    if (!link) return;
    const address = new URL(location.href);
    for (const name of [...address.searchParams.keys()]) {
      if (/^embed(_options)?$/i.test(name)) address.searchParams.delete(name);
    }
    link.href = address.href;
  }
})();

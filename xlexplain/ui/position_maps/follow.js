// While a slider of the page is moved, the maps go with it: the server hears of a drag only when it
// ends. The arithmetic is `PositionConflict` once more; the server's answer then says the same.

const CONTROLS = ".st-key-controls";

function sliderValue(name) {
  const input = document.querySelector(`${CONTROLS} .st-key-${name} input[type=range]`);
  const text = input?.getAttribute("aria-valuetext");
  return text && /^\d+$/.test(text) ? Number(text) : null;
}

// What the maps show for the sliders as they stand: `told`, the server's last word, if they agree.
function followed(told, chosen) {
  if (!told.follow) return told;
  const was = { L: told.columns, D: told.rows.length - 1 };
  was.query = told.query - was.D * was.L;
  const L = sliderValue("seg") ?? was.L;
  const D = sliderValue("mem") ?? was.D;
  const { tokens, ages, position } = told.follow;
  const fit = (value, wasMost, most) => Math.min(value === Math.min(position, wasMost) ? position : value, most);
  const slider = sliderValue("query") ?? was.query;
  const query = slider === was.query ? fit(slider, was.L - 1, L - 1) : Math.min(slider, L - 1);
  if (L === was.L && D === was.D && query === was.query) return told;
  const M = D * L;
  const S = M + L;
  const wasLast = was.D * was.L + was.L - 1;
  const key = fit(chosen, wasLast, Infinity);
  const says = {
    encoded: (j) => j % L,
    distance: (j) => M + query - j,
    offset: (j) => j - M,
  };
  const keys = Array.from({ length: S }, (_, j) => j);
  const shown = ages.slice(0, D + 1).reverse();
  return {
    ...told,
    columns: L,
    rows: shown.map(([name]) => name),
    fills: shown.map(([, fill]) => fill),
    maps: told.maps.map((map) => ({
      ...map,
      caption: map.template.replace("[[query]]", query) || map.caption,
      values: keys.map((j) => String(says[map.counts](j)).replace("-", "−")),
    })),
    tokens: [...tokens].slice(0, S),
    ahead: keys.map((j) => j - M > query),
    query: M + query,
    chosen: key < S ? key : M + (key % L),
    isAhead: true,
  };
}

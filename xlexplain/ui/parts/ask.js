// Stands among the sections; what calls it has them drawn anew, as if a widget there was touched.
export default function ({ data, setTriggerValue }) {
  window.xlexplainAsk = () => setTriggerValue("wanted", true);
  document.dispatchEvent(new CustomEvent("xlexplain-drawn", { detail: data.turn }));
}

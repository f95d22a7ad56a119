// Stands in a section; what touches it has the section drawn anew.
export default function ({ data, setTriggerValue }) {
  (window.xlexplainAsks ??= {})[data.section] = () => setTriggerValue("wanted", true);
}

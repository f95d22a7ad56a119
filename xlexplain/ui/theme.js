// Has the page drawn anew when the reader changes between light and dark: figures hold their colors,
// and Streamlit runs nothing by itself. While a script runs nothing is said: that run may be of the
// next page, and a message of this one would bring this one back.

const watchers = new WeakMap();
let asked = null; // once for each change, whatever the server makes of it

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector("i");
  const app = document.querySelector(".stApp");
  const look = () => {
    const isDark = getComputedStyle(app).colorScheme === "dark";
    if (isDark === data.isDark) asked = null;
    else if (isDark !== asked && app.dataset.testScriptState === "notRunning") {
      asked = isDark;
      setTriggerValue("changed", true);
    }
  };
  watchers.get(root)?.disconnect();
  const watcher = new MutationObserver(look);
  watchers.set(root, watcher);
  watcher.observe(app, { attributeFilter: ["class", "data-test-script-state"] });
  look();
  return () => root.isConnected || watcher.disconnect();
}

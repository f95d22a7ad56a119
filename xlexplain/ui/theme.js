// Has the page drawn anew when the reader changes between light and dark: figures hold their colours.

const watchers = new WeakMap();
let asked = null; // once for each change, whatever the server makes of it

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector("i");
  const app = document.querySelector(".stApp");
  const look = () => {
    const isDark = getComputedStyle(app).colorScheme === "dark";
    if (isDark === data.isDark) asked = null;
    else if (isDark !== asked && !isLeaving()) {
      asked = isDark;
      setTriggerValue("changed", true);
    }
  };
  watchers.get(root)?.disconnect();
  const watcher = new MutationObserver(look);
  watchers.set(root, watcher);
  watcher.observe(app, { attributeFilter: ["class"] });
  look();
  return () => root.isConnected || watcher.disconnect();
}

// Has the page drawn anew when the reader changes between light and dark: figures hold their colours.

const schemes = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector("i");
  schemes.get(root)?.disconnect();
  const app = document.querySelector(".stApp");
  const look = () => {
    const isDark = getComputedStyle(app).colorScheme === "dark";
    if (isDark === root.asked || isLeaving()) return;
    root.asked = isDark;
    setTriggerValue("changed", true);
  };
  root.asked = data.isDark;
  const watcher = new MutationObserver(look);
  watcher.observe(app, { attributeFilter: ["class"] });
  schemes.set(root, watcher);
  return () => root.isConnected || watcher.disconnect();
}

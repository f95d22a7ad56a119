// Shared by all components: build an element with attributes and children, text as text.
function make(tag, options = {}, ...children) {
  const { className, ...attributes } = options;
  const node = document.createElement(tag);
  if (className) node.className = className;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}


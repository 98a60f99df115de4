/** An element; texts are set as texts, for others wrote them. */
export function element(name, { text, ...properties } = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  if (text !== undefined) made.textContent = text;
  made.append(...children);
  return made;
}

/** A button of a list, with what it leads to in two lines. */
export function entry(title, subtitle, current, choose) {
  const button = element(
    "button",
    { onclick: choose },
    element("b", { text: title }),
    element("span", { text: subtitle }),
  );
  button.setAttribute("aria-current", String(current));
  return button;
}

type Listener = (event: Event) => void;
type Attributes = Record<string, string | number | boolean | undefined | null | Listener>;
export type Child = Node | string | false | undefined;

/** Makes an element. `onclick` and the like listen, true sets an attribute without value, false and null leave it out. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== false && value != null)
      element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child): child is Node | string => !!child));
  return element;
}

/** Links and buttons side by side. */
export function actions(...children: Child[]): HTMLElement {
  return h("div", { class: "actions" }, ...children);
}

/** A button that does something, with more attributes where needed. */
export function button(act: () => void, attributes: Attributes, ...children: Child[]): HTMLButtonElement {
  return h("button", { type: "button", onclick: act, ...attributes }, ...children);
}

import { raw } from "hono/html";

/** Makes the print button, so that there is none without scripts. The page's policy allows this text only. */
export const PRINT_SCRIPT = `const tag = document.currentScript;
const button = document.createElement("button");
button.type = "button";
button.className = "print";
button.textContent = tag.dataset.label;
button.addEventListener("click", () => window.print());
tag.before(button);`;

/** A button that prints the page, on screens only. */
export function PrintButton({ label }: { label: string }) {
  return <script data-label={label}>{raw(PRINT_SCRIPT)}</script>;
}

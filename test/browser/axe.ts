import axe from "axe-core";
import type { Page } from "playwright-core";

type Violation = { id: string; impact: string; nodes: { html: string }[] };

/** The serious faults that axe finds in a page, shadow roots included. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate<Violation[]>("axe.run().then(({ violations }) => violations)");
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
}

/** The name of what has the focus, inside a shadow root too. */
export function focusedIn(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const it = document.activeElement.shadowRoot?.activeElement ?? document.activeElement;
    return it.ariaLabel ?? it.labels?.[0]?.innerText ?? it.innerText;
  })()`);
}

/** Presses Tab until what has this name has the focus; going round reaches what stands before it. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press("Tab");
    if (name.test(await focusedIn(page))) return;
  }
  throw new Error(`Tab never reached ${name}; it is on ${await focusedIn(page)}`);
}

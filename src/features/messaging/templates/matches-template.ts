const SLOT = /\{#(?:var|numeric|alphanumeric|url|email|cbn)#\}/;
const SLOT_CAPACITY = 30;

/**
 * Whether a text is the registered template with its slots filled, each by 0 to 30 UTF-16 units. Keeps the set of places
 * that the text can have been matched up to: slots x length steps at most, where a regular expression needs years.
 */
export function matchesTemplate(template: string, text: string): boolean {
  const [first = "", ...literals] = template.split(SLOT);
  if (!text.startsWith(first)) return false;
  let reached = new Uint8Array(text.length + 1);
  reached[first.length] = 1;
  for (const literal of literals) {
    const next = new Uint8Array(text.length + 1);
    let slotStart = -1;
    for (let at = 0; at + literal.length <= text.length; at += 1) {
      if (reached[at] === 1) slotStart = at;
      const inReach = slotStart >= 0 && at - slotStart <= SLOT_CAPACITY;
      if (inReach && text.startsWith(literal, at)) next[at + literal.length] = 1;
    }
    reached = next;
  }
  return reached[text.length] === 1;
}

const SLOT = /\{#([a-z]+)#\}/;
// https://msg91.com/help/dlt-registration-in-india/error-description-sms-not-matched-with-dlt-template
const SLOT_CAPACITY = 40;

/** The characters that a slot takes, and one that it must have. */
type Tag = { takes: RegExp; needs?: string };
const ANYTHING: Tag = { takes: /[\s\S]/ };
const LINK: Tag = { takes: /\S/, needs: "." };
const DIGITS: Tag = { takes: /[0-9]/ };
// What TRAI's direction of 18 November 2025 has variables tagged by, as carriers check them: "Variable Tagging on DLT SMS
// Templates" at https://msg91.com/help. They differ on what `alphanumeric` takes, which so takes anything.
const TAGS = new Map<string, Tag>([
  ["numeric", DIGITS],
  ["number", DIGITS],
  ["url", LINK],
  ["urlott", LINK],
  ["cbn", { takes: /[0-9+() -]/ }],
  ["email", { takes: /\S/, needs: "@" }],
]);

/**
 * Whether a text is the registered template with its slots filled, each by 0 to 40 UTF-16 units that its tag takes; a tag that
 * is not known takes anything. Keeps the set of places that the text can have been matched up to: slots x length steps at
 * most, where a regular expression needs years.
 */
export function matchesTemplate(template: string, text: string): boolean {
  const [first = "", ...rest] = template.split(SLOT);
  if (!text.startsWith(first)) return false;
  let reached = new Uint8Array(text.length + 1);
  reached[first.length] = 1;
  for (let index = 0; index < rest.length; index += 2) {
    const tag = TAGS.get(rest[index] ?? "") ?? ANYTHING;
    reached = reachedBehind(text, reached, tag, rest[index + 1] ?? "");
  }
  return reached[text.length] === 1;
}

/** The places behind a slot and the literal that follows it, where the slot begins at one of `reached`. */
function reachedBehind(text: string, reached: Uint8Array, { takes, needs }: Tag, literal: string) {
  const next = new Uint8Array(text.length + 1);
  // The longest filling has all characters of the others.
  let slotStart = 0;
  let lastNeeded = -1;
  for (let at = 0; at + literal.length <= text.length; at += 1) {
    const before = text[at - 1];
    if (before !== undefined && !takes.test(before)) slotStart = at;
    if (before === needs) lastNeeded = at - 1;
    slotStart = Math.max(slotStart, at - SLOT_CAPACITY);
    while (slotStart < at && reached[slotStart] === 0) slotStart += 1;
    const isFilled = reached[slotStart] === 1 && (needs === undefined || lastNeeded >= slotStart);
    if (isFilled && text.startsWith(literal, at)) next[at + literal.length] = 1;
  }
  return next;
}

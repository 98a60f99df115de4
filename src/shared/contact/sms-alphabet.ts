const GSM = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ ÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
const GSM_EXTENSION = new Set("\f^{}\\[~]|€");

/** How many septets a character takes in the phone networks' own alphabet; undefined where it is not of it. */
export function septetsOf(character: string): 1 | 2 | undefined {
  if (GSM.has(character)) return 1;
  // An escape and the character.
  return GSM_EXTENSION.has(character) ? 2 : undefined;
}

/** Whether a text needs Unicode: one character outside the networks' alphabet makes the whole message Unicode. */
export function needsUnicode(text: string): boolean {
  for (const character of text) if (septetsOf(character) === undefined) return true;
  return false;
}

const GSM =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ ÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
/** Two septets each: an escape and the character. */
const GSM_EXTENSION = "\f^{}\\[~]|€";

export type Segments = { encoding: "GSM-7" | "UCS-2"; segments: number };

/** How a phone network carries a text: its alphabet, and in how many parts. */
export function segmentsOf(text: string): Segments {
  const costs: number[] = [];
  for (const character of text) {
    if (GSM.includes(character)) costs.push(1);
    else if (GSM_EXTENSION.includes(character)) costs.push(2);
    else return { encoding: "UCS-2", segments: parts([...text].map(unitsOf), 70, 67) };
  }
  return { encoding: "GSM-7", segments: parts(costs, 160, 153) };
}

function unitsOf(character: string): number {
  return character.length;
}

/** A text alone may fill `single` units; a part of several gives up some of them to its number. No character is split. */
function parts(costs: readonly number[], single: number, several: number): number {
  if (costs.reduce((sum, cost) => sum + cost, 0) <= single) return 1;
  let count = 1;
  let filled = 0;
  for (const cost of costs) {
    if (filled + cost > several) {
      count += 1;
      filled = 0;
    }
    filled += cost;
  }
  return count;
}

import { needsUnicode, septetsOf } from "#shared/contact/sms-alphabet.ts";

export type Segments = { encoding: "GSM-7" | "UCS-2"; segments: number };

/** How a phone network carries a text: its alphabet, and in how many parts. */
export function segmentsOf(text: string): Segments {
  if (needsUnicode(text)) return { encoding: "UCS-2", segments: parts([...text].map(unitsOf), 70, 67) };
  return { encoding: "GSM-7", segments: parts([...text].map(septets), 160, 153) };
}

function septets(character: string): number {
  return septetsOf(character) ?? 0;
}

function unitsOf(character: string): number {
  return character.length;
}

/** A text that fits one part may fill `single` units. Parts of a longer text hold fewer, for each carries its number. No character is split. */
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

// Territories without a legislature have their own tax in place of a state's.
const UNION_TERRITORIES: ReadonlySet<string | null> = new Set(["04", "26", "31", "35", "38"]);

/** What the tax of a place of supply beside CGST is called. */
export function stateTaxOf(place: string | null): "SGST" | "UTGST" {
  return UNION_TERRITORIES.has(place) ? "UTGST" : "SGST";
}

const COMPANY = ":company";
const NO_COLLECTION = /^(?:external|:.*|)$/;

/** The resource that a 404 of the path names: the collection before the last record id, in the singular (`work_item`). */
export function resourceOf(path: string): string | undefined {
  const words = path.split("/");
  const last = words.findLastIndex((word) => word.startsWith(":") && word !== COMPANY);
  const collection = words.slice(0, last).findLast((word) => !NO_COLLECTION.test(word));
  return last < 0 || collection === undefined ? undefined : singular(collection.replaceAll("-", "_"));
}

function singular(word: string): string {
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:us|ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

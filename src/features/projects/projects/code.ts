const CODE = /^[A-Z][A-Z0-9]{1,9}$/;
const MOST_INITIALS = 5;
const LETTERS = 4;

/** A code made from a name: the initials of its words, or its first four letters, or `PRJ` where it has no Latin ones. */
export function codeFrom(name: string): string {
  const words = name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/[^A-Z0-9]/g, ""))
    .filter((word) => word !== "");
  const initials = words.map((word) => word.charAt(0)).join("");
  const letters = words.join("").replace(/^[0-9]+/, "");
  const candidates = [
    ...(words.length > 1 ? [initials.slice(0, MOST_INITIALS)] : []),
    letters.slice(0, LETTERS),
  ];
  return candidates.find((candidate) => CODE.test(candidate)) ?? "PRJ";
}

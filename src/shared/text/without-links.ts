// What mail programs make a link of: an address with its scheme, www or path, of mail, numbers, or a domain; in capitals one
// whose ending is common, for `Md.Rahim` is a name.
const LINK = /\/\/|[Ww]{3}\.|@.*\.|[\p{L}\p{M}\p{N}-]{2}\.\p{Ll}{2}/u;
const LINK_IN_CAPITALS =
  /www\.|\.[\p{L}\p{M}]{2,}\/|\d\.\d+\.\d+\.\d|\.(com|net|org|info|biz|xyz|top|online|site|shop|app|dev|click|link|live|ly|me|io|co|in|au|uk|us|ru|cn|tk)(?!\p{L})/iu;
// Other dots that browsers read as one, and invisible characters.
const DOTS = /[\u3002\uFF0E\uFF61]/g;
const UNSEEN = /\p{Default_Ignorable_Code_Point}|\p{Cf}/gu;
// Any other dot may end a name (`Md.Rahim`, `डॉ.शर्मा`) or stand in a domain (`EVIL.PW`, `ब्लॉग.भारत`): with a blank it is no link.
const INNER_DOT =
  /(?<=[\p{L}\p{M}\p{N}]\p{Default_Ignorable_Code_Point}*[.\u2024\u3002\uFF0E\uFF61])(?=\p{Default_Ignorable_Code_Point}*\p{L}\p{Default_Ignorable_Code_Point}*[\p{L}\p{M}])/gu;

/** What a person typed about themselves, without the words that are links: the mail may go to another person. */
export function withoutLinks(text: string): string {
  return text
    .split(/\s+/)
    .filter((word) => !isLink(word))
    .join(" ")
    .replace(INNER_DOT, " ");
}

function isLink(word: string): boolean {
  const plain = word.replace(DOTS, ".").normalize("NFKC").replace(UNSEEN, "");
  return LINK.test(plain) || LINK_IN_CAPITALS.test(plain);
}

/** What pages and messages speak. */
export const LANGUAGES = ["en", "hi"] as const;
export type Language = (typeof LANGUAGES)[number];

/** One of our languages by its tag, such as `hi-IN`; undefined for any other. */
export function knownLanguage(tag: string | null): Language | undefined {
  const [primary] = (tag ?? "").trim().toLowerCase().split("-");
  return LANGUAGES.find((language) => language === primary);
}

/** The language of ours that an `Accept-Language` header likes best; English where it names none. */
export function acceptedLanguage(header: string): Language {
  const ranked = header.split(",").map((part) => {
    const [tag = "", ...parameters] = part.split(";");
    const weight = parameters.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find(Boolean);
    return { language: knownLanguage(tag), weight: Number(weight ?? 1) };
  });
  const wanted = ranked.filter(({ language, weight }) => language !== undefined && weight > 0);
  return wanted.sort((one, other) => other.weight - one.weight)[0]?.language ?? "en";
}

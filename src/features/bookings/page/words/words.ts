import type { Problem } from "#shared/problem.ts";
import type { Language } from "#shared/text/language.ts";
import { ENGLISH, type Words } from "./english.ts";
import { HINDI } from "./hindi.ts";

/** The texts of the pages by language. */
export const WORDS: Record<Language, Words> = { en: ENGLISH, hi: HINDI };

/** A refusal as its visitor reads it. */
export function refusalOf({ code }: Problem, language: Language): string {
  const { refusals, refused } = WORDS[language];
  return (refusals as Partial<Record<string, string>>)[code] ?? refused;
}

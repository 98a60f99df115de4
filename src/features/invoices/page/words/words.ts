import type { Language } from "#shared/text/language.ts";
import { ENGLISH, type Words } from "./english.ts";
import { HINDI } from "./hindi.ts";

export type { Words };

/** The words of papers in each language. */
export const WORDS: Record<Language, Words> = { en: ENGLISH, hi: HINDI };

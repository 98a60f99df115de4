import { ENGLISH } from "./english.ts";
import { HINDI } from "./hindi.ts";

/** The texts of this product, by language. */
export const DEFAULTS = { en: ENGLISH, hi: HINDI } as const;

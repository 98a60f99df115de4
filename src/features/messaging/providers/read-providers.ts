import { recordVerbs } from "#core/write/collection.ts";
import { provider } from "./record.ts";

/** What lists the providers, newest first, and what reads one. */
export const { list: listProviders, get: getProvider } = recordVerbs({ record: provider });

import { logFault } from "#core/log.ts";
import { at } from "../json.ts";

/** What an event says of each type that is read, by the paths of its members, in the words of the gateway's documents. */
export type Forms = Readonly<Record<string, readonly string[]>>;

/**
 * Logs a verified event that lacks what its gateway documents, for it may not be read then, and one of a type that is not
 * read. It logs names alone, nothing that the event says.
 */
export function logForm(gateway: string, forms: Forms, type: string, event: unknown): void {
  if (type !== "" && !Object.hasOwn(forms, type)) {
    logFault("callback_type", `An event ${type.slice(0, 100)} is not read`, gateway);
    return;
  }
  const missing = (type === "" ? undefined : forms[type])?.filter(
    (path) => at(event, ...path.split(".")) === undefined,
  ) ?? ["its type"];
  if (missing.length > 0) logFault("callback_form", `An event ${type} lacks ${missing.join(", ")}`, gateway);
}

/** The forms of several types that say the same, of one thing at a place. */
export function formsOf(types: readonly string[], place: string, members: readonly string[]): Forms {
  const paths = members.map((member) => `${place}${member}`);
  return Object.fromEntries(types.map((type) => [type, paths]));
}

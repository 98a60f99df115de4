import { expect } from "vitest";
import { type Documented, fieldsOf, isForm, type Sent, violationsOf } from "./schemas.ts";

/** Holds a request against its vendor's documents: as it is, without its sender, and with each member misspelt that is not free. */
export function expectDocumented(vendor: Documented, sent: Sent, isFree = (_: string) => false): void {
  expect(violationsOf(vendor, sent), sent.path).toEqual([]);
  const headers = new Headers(sent.headers);
  headers.delete("User-Agent");
  expect(violationsOf(vendor, { ...sent, headers })).toEqual(["the header user-agent"]);
  const names = sent.body === "" ? [] : Object.keys(fieldsOf(sent));
  for (const name of names.filter((one) => !isFree(one)))
    expect(violationsOf(vendor, misspelt(sent, name)), name).not.toEqual([]);
}

/** The same request, with one member misspelt. */
export function misspelt(sent: Sent, name: string): Sent {
  const { [name]: value, ...others } = fieldsOf(sent);
  // A word of a form's name in brackets, else its end.
  const wrong = name.endsWith("]") ? name.replace(/\[([a-z_]+)\]/, "[$1x]") : `${name}x`;
  const fields = { ...others, [wrong]: value };
  const form = new URLSearchParams(fields as Record<string, string>);
  return { ...sent, body: isForm(sent) ? form.toString() : JSON.stringify(fields) };
}

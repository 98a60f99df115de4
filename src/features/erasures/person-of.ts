import { sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { jsonObject, jsonQuery, parseRows } from "#core/sql/json.ts";
import { read } from "#core/write/replay.ts";
import { e164 } from "#shared/contact/phone.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import type { Contact, Person, PersonEraser } from "./person.ts";
import type { ErasureCreate } from "./schema.ts";

/**
 * By what the person is found: what was given, and the e-mail address and the number of each record that was given. 404
 * for a record that is not there, 422 for a number that is not whole.
 */
export async function personOf(
  ctx: CallCtx,
  { email, phone, chatapp_user, customer_id, lead_id, application_id }: ErasureCreate,
  erasers: readonly PersonEraser[],
): Promise<Person> {
  const given = { customer_id, lead_id, application_id };
  const number = phone === undefined ? undefined : e164(phone, ctx.company.country);
  if (number === null)
    throw fieldProblem(
      "phone",
      "invalid_value",
      "must be a whole number, with + where it is not of the country",
    );
  const contacts = await contactsOf(ctx, given, erasers);
  const { country } = ctx.company;
  const emails = [email, ...contacts.map((contact) => contact.email)];
  const numbers = [number, ...contacts.map((contact) => contact.phone && e164(contact.phone, country))];
  return {
    given,
    emails: [...new Set(emails.flatMap((text) => text?.toLowerCase() ?? []))],
    phones: [...new Set(numbers.flatMap((one) => one || []))],
    users: chatapp_user === undefined ? [] : [chatapp_user],
  };
}

/** What the person was named by first; the hash is of that, so that it says nothing of what a record holds. */
export function identifierOf(
  { email, customer_id, lead_id, application_id }: ErasureCreate,
  { phones: [phone], users: [user] }: Person,
): string {
  if (email !== undefined) return `email:${email.toLowerCase()}`;
  const [ofRecord] = Object.entries({ customer_id, lead_id, application_id }).filter(
    ([, id]) => id !== undefined,
  );
  if (ofRecord !== undefined) return ofRecord.join(":");
  return phone === undefined ? `chatapp_user:${user}` : `phone:${phone}`;
}

async function contactsOf(
  ctx: CallCtx,
  given: Person["given"],
  erasers: readonly PersonEraser[],
): Promise<Contact[]> {
  const queries = erasers.flatMap(({ named }) => {
    const id = named && given[named.by];
    if (named === undefined || id === undefined) return [];
    const { email, phone } = named.in;
    const contact = sql<Contact>`SELECT ${jsonObject({ email, phone })} AS snapshot FROM ${named.in} WHERE ${named.in.id} = ${id}`;
    return [jsonQuery(ctx, contact)];
  });
  const [first, ...rest] = queries;
  if (first === undefined) return [];
  const found = await read(ctx, [first, ...rest]);
  return found.map((cells) => {
    const [contact] = parseRows(cells);
    if (contact === undefined) throw new Problem("not_found");
    return contact;
  });
}

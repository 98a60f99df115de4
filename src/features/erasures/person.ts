import { type Column, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Scope } from "#api/operations/scopes.ts";
import type { ReadCtx, WriteCtx } from "#core/context.ts";
import type { KeyedHash } from "#core/secrets/company-hmac.ts";
import type { Erasure } from "#core/write/erasures.ts";
import type { ExternalKind } from "#core/write/external-id.ts";
import { e164, phoneLast9 } from "#shared/contact/phone.ts";
import { customers } from "#tables/customers";
import type { ErasureCounts, ErasureCreate, Kept } from "./schema.ts";

/** So many records of one kind go in one batch, where there may be thousands. */
export const MOST_AT_ONCE = 1_000;

/** Whom an erasure is of: all by which records are found. */
export type Person = {
  /** What was asked for by its id. */
  readonly given: Pick<ErasureCreate, "customer_id" | "lead_id" | "application_id">;
  /** In lower case. */
  readonly emails: readonly string[];
  /** Whole numbers, in E.164. */
  readonly phones: readonly string[];
  /** The chat-app's own ids of who hides the number. */
  readonly users: readonly string[];
};

/** The e-mail address and the phone number of a record that was asked for by its id. */
export type Contact = { email: string | null; phone: string | null };

/** What of a feature's records is the person's. */
export type Theirs = {
  ids: readonly (string | number)[];
  /** Files that go first. */
  files?: { folder: string; paths: readonly string[] };
  /** Names, and e-mail addresses and phone numbers as they were written, by which remembered answers are known. */
  names?: readonly (string | null)[];
  contacts?: readonly (string | null)[];
};

/** What the erasers of later kinds may build on: the ids of the customers that were found. */
export type Known = Person & { readonly customers: readonly number[]; readonly country: string };

type Described<Row> = {
  /** How what it erases is erased again after a restore: an erasure of a person runs the same statements. */
  erasure: Erasure;
  /** What a key must hold to write such records, and so to erase them. */
  scope: Scope;
  /** What of the answer it is counted as; what stays in all but its contact is not. */
  counts?: keyof ErasureCounts;
  /** The kind of record that callers give ids of their own to. */
  externalIds?: ExternalKind;
  /** Which member of the request names such a record, and where its `Contact` is. */
  named?: { by: keyof Person["given"]; in: SQLiteTable & Record<"id" | keyof Contact, Column> };
  /** Whether `find` gives no more than `MOST_AT_ONCE`; what it gives is theirs, all of it. */
  isBounded?: true;
  /** The SELECT of what may be the person's, and has something left to erase. */
  find: (ctx: ReadCtx, person: Person) => SQL<Row>;
  theirs: (rows: readonly Row[], person: Known) => Theirs;
  /** Where it is judged again what may be erased: in place of the erasure's own `left`. */
  left?: (given: SQL) => SQL;
  /** In place of the erasure's own statements, where they take hashes. */
  erase?: (rows: readonly Row[], person: Known, left: SQL, hash: KeyedHash) => Promise<SQLWrapper[]>;
  /** Whether it is found by every address and number of the records that are erased, not by those asked for alone. */
  isReached?: true;
  /** Whether the contacts that it finds are the very person's: all is searched by these too. */
  isSame?: true;
  /** What goes besides, which has no id of its own; `idsOf` gives the ids that an erasure takes, by its action. */
  also?: (ctx: WriteCtx, person: Person, idsOf: (action: string) => Theirs["ids"]) => SQLWrapper[];
  /** What of the rows that were found is kept all the same. */
  kept?: (rows: readonly Row[], person: Known) => Kept[];
};

/** How the records of a person are found and erased, of one kind. */
export type PersonEraser = Described<unknown>;

/** Describes an eraser; stands beside the erasure of its kind. */
export function personEraser<Row>(described: Described<Row>): PersonEraser {
  return described as unknown as PersonEraser;
}

type DescribedKeeper<Row> = {
  /** The SELECT of what must be kept by law of records that may be the person's. */
  find: (ctx: ReadCtx, person: Person) => SQL<Row>;
  kept: (rows: readonly Row[], person: Known) => Kept[];
};
/** Says what stays of a person, why and until when. */
export type PersonKeeper = DescribedKeeper<unknown>;

export function personKeeper<Row>(described: DescribedKeeper<Row>): PersonKeeper {
  return described as unknown as PersonKeeper;
}

/** The SELECT of the ids of customers that may be the person: by the last nine digits it may find another. */
export function customersOf(person: Person): SQL {
  return sql`SELECT ${customers.id} FROM ${customers} WHERE ${customers.emailLower} IN ${among(person.emails)}
    UNION SELECT ${customers.id} FROM ${customers} WHERE ${customers.phoneLast9} IN ${among(lastNines(person))}
    UNION SELECT ${person.given.customer_id ?? 0}`;
}

/** These records of a person, and by what answers that are remembered know them. */
export function ofPerson(mine: readonly (Contact & { id: number | string; name: string | null })[]): Theirs {
  return {
    ids: mine.map(({ id }) => id),
    names: mine.map(({ name }) => name),
    contacts: mine.flatMap(({ email, phone }) => [email, phone]),
  };
}

/** Whether an address, or a number exactly, is one of the person's. */
export function isTheirContact({ email, phone }: Contact, { emails, phones, country }: Known): boolean {
  const number = phone === null ? null : e164(phone, country);
  return (email !== null && emails.includes(email.toLowerCase())) || phones.includes(number ?? "");
}

/**
 * The same as customers are matched, by addresses in lower case: a number that is written without its country is the
 * person's by its last nine digits. `country` is the record's own, where it has one.
 */
export function isMatched({ email, phone }: Contact, person: Known, country = person.country): boolean {
  if (email !== null && person.emails.includes(email)) return true;
  if (phone === null) return false;
  const numbers = [country, person.country].flatMap((one) => e164(phone, one) ?? []);
  return numbers.length === 0
    ? lastNines(person).includes(phoneLast9(phone) ?? "")
    : numbers.some((number) => person.phones.includes(number));
}

/** The last nine digits of the person's numbers, by which indexes narrow a search down. */
export function lastNines({ phones }: Person): string[] {
  return phones.flatMap((phone) => phoneLast9(phone) ?? []);
}

/** The last nine digits of a column of phone numbers, letter for letter as its index has them. */
export function lastNineOf(phone: SQL): SQL {
  const digits = [" ", "-", ".", "(", ")", "/"].reduce(
    (text, sign) => sql`replace(${text}, ${sql.raw(`'${sign}'`)}, '')`,
    phone,
  );
  return sql`substr(${digits}, -9)`;
}

/** A list as what follows IN. */
export function among(values: readonly (string | number)[]): SQL {
  return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

import type { Column } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { SecretKind } from "#core/secrets/secret-kind.ts";
import type { externalIds } from "#tables/core";

type Secrets = Record<
  "encrypt" | "decrypt",
  (kind: SecretKind, key: string, text: string) => Promise<string>
>;

/** The kinds of records that callers give ids of their own to. */
export type ExternalKind = (typeof externalIds.kind.enumValues)[number];

/** A kind, its table where each create makes a row of it, and whether the same create again has the same answer. */
export type ExternalIds = {
  readonly kind: ExternalKind;
  readonly table?: SQLiteTable & Record<"id" | "operation", Column>;
  readonly isDocument?: boolean;
  /** Set where a record without the id is better than none, unless the one that had it is gone. */
  readonly isNeverRefused?: true;
  /** Set where a record's id is a number on the wire. */
  readonly isNumber?: true;
  /** Set where an id that is known changes its record. */
  readonly changes?: true;
};

/** The caller's own id of the record that a call makes. */
export type ExternalId = ExternalIds & {
  readonly id: string;
  /** What makes the create the same one: its address and its body. */
  readonly create: string;
  /** Whether the key may read such records. */
  readonly mayRead: boolean;
  readonly secrets: Secrets;
  /** Its keyed hashes, once it was looked up. */
  hashes?: { readonly erased: string; readonly create: string | null };
};

import { sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { selectHmacKey } from "#core/secrets/company-hmac.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { asList } from "#core/sql/read-records.ts";
import { type Owned, selectOwned } from "#core/write/erased-external-ids.ts";
import { read } from "#core/write/replay.ts";
import { isChatappUser } from "#shared/contact/chatapp-user.ts";
import { e164 } from "#shared/contact/phone.ts";
import type { Known, Person, PersonEraser, PersonKeeper, Theirs } from "./person.ts";
import type { Kept } from "./schema.ts";

/** All that has records of persons, in the order in which these are erased. */
export type Mounted = { erasers: readonly PersonEraser[]; keepers: readonly PersonKeeper[] };

/** What was found of a person by one eraser. */
export type Share = Theirs & { eraser: PersonEraser; rows: readonly unknown[] };
export type Found = {
  person: Known;
  reach: Person;
  shares: Share[];
  kept: Kept[];
  /** The ids that callers gave to what may be erased. */
  owned: readonly Owned[];
  encryptedKey: string | null;
};

// Whose addresses and numbers are the person's own.
const OWN = new Set(["customers", "leads", "applications"]);

/** Finds all records of a person, and searches again if these have another address or number. */
export async function findAll(ctx: CallCtx, mounted: Mounted, asked: Person): Promise<Found> {
  const found = await findBy(ctx, mounted, asked, asked);
  const { country } = ctx.company;
  const person = withContacts(
    asked,
    found.shares.filter(({ eraser }) => eraser.isSame === true),
    country,
  );
  const own = found.shares.filter(({ eraser: { counts } }) => counts !== undefined && OWN.has(counts));
  const reach = withContacts(person, own, country);
  return sizeOf(reach) > sizeOf(asked) ? findBy(ctx, mounted, person, reach) : found;
}

const sizeOf = ({ emails, phones, users }: Person) => emails.length + phones.length + users.length;

/** The person with every address, number and user id of these records, as they were written. */
function withContacts(person: Person, shares: readonly Share[], country: string): Person {
  const written = shares.flatMap(({ contacts = [] }) => contacts.flatMap((contact) => contact || []));
  const emails = written.filter((one) => one.includes("@")).map((one) => one.toLowerCase());
  const users = written.filter(isChatappUser);
  const phones = written.flatMap((one) =>
    one.includes("@") || isChatappUser(one) ? [] : (e164(one, country) ?? []),
  );
  return {
    ...person,
    emails: [...new Set([...person.emails, ...emails])],
    phones: [...new Set([...person.phones, ...phones])],
    users: [...new Set([...person.users, ...users])],
  };
}

async function findBy(
  ctx: CallCtx,
  { erasers, keepers }: Mounted,
  person: Person,
  reach: Person,
): Promise<Found> {
  const lists = [
    ...erasers.map(({ find, isReached }) => find(ctx, isReached === true ? reach : person)),
    ...keepers.map(({ find }) => find(ctx, person)),
  ].map((select) => jsonQuery(ctx, asList(select)));
  const ids = erasers.flatMap(({ externalIds: kind, find }) =>
    kind === undefined
      ? []
      : [selectOwned(kind, sql`SELECT CAST(snapshot ->> '$.id' AS TEXT) FROM (${find(ctx, person)})`)],
  );
  const [key, owned, ...found] = await read(ctx, [
    jsonQuery(ctx, selectHmacKey),
    jsonQuery(ctx, sql<Owned>`${sql.join(ids, sql` UNION ALL `)}`),
    ...lists,
  ]);
  const rows = found.map((cells) => parseRows(cells)[0] ?? []);
  const country = ctx.company.country;
  const without: Known = { ...person, country, customers: [] };
  const customers = erasers.flatMap(({ counts, theirs }, place) =>
    counts === "customers" ? theirs(rows[place] ?? [], without).ids.map(Number) : [],
  );
  const known = { ...without, customers };
  const shares = erasers.map((eraser, place) => {
    const mine = rows[place] ?? [];
    return { eraser, rows: mine, ...eraser.theirs(mine, known) };
  });
  const kept = [
    ...shares.flatMap(({ eraser, rows: mine }) => eraser.kept?.(mine, known) ?? []),
    ...keepers.flatMap((keeper, place) => keeper.kept(rows[erasers.length + place] ?? [], known)),
  ];
  const encryptedKey = parseRows(key)[0]?.key ?? null;
  return { person: known, reach, shares, kept, owned: parseRows(owned), encryptedKey };
}

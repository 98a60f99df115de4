import type { CallCtx } from "#platform/context.ts";
import { selectMarkKey } from "#platform/secrets/company-marks.ts";
import { jsonQuery, parseRows } from "#platform/sql/json.ts";
import { asList } from "#platform/sql/read-records.ts";
import { read } from "#platform/write/operation-memory.ts";
import type { Known, Person, PersonEraser, PersonKeeper, Theirs } from "./person.ts";
import type { Kept } from "./schema.ts";

/** All that has records of persons, in the order in which these are erased. */
export type Mounted = { erasers: readonly PersonEraser[]; keepers: readonly PersonKeeper[] };

/** What was found of a person by one eraser. */
export type Share = Theirs & { eraser: PersonEraser; rows: readonly unknown[] };
export type Found = { person: Known; shares: Share[]; kept: Kept[]; sealedKey: string | null };

/** Finds all that there is of a person, in one request. */
export async function findAll(ctx: CallCtx, { erasers, keepers }: Mounted, person: Person): Promise<Found> {
  const lists = [...erasers, ...keepers].map(({ find }) => jsonQuery(ctx, asList(find(ctx, person))));
  const [key, ...found] = await read(ctx, [jsonQuery(ctx, selectMarkKey), ...lists]);
  const rows = found.map((cells) => parseRows(cells)[0] ?? []);
  const country = ctx.company.country;
  const nobody: Known = { ...person, country, customers: [] };
  const customers = erasers.flatMap(({ counts, theirs }, place) =>
    counts === "customers" ? theirs(rows[place] ?? [], nobody).ids.map(Number) : [],
  );
  const known = { ...nobody, customers };
  const shares = erasers.map((eraser, place) => {
    const mine = rows[place] ?? [];
    return { eraser, rows: mine, ...eraser.theirs(mine, known) };
  });
  const kept = [
    ...shares.flatMap(({ eraser, rows: mine }) => eraser.kept?.(mine, known) ?? []),
    ...keepers.flatMap((keeper, place) => keeper.kept(rows[erasers.length + place] ?? [], known)),
  ];
  return { person: known, shares, kept, sealedKey: parseRows(key)[0]?.key ?? null };
}

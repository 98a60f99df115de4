import { type SQL, sql } from "drizzle-orm";
import { type SettingName, settingNamed, type Told } from "#shared/settings.ts";
import type { Actor } from "../context.ts";
import { settingChanges as changes } from "./tables.ts";

// Of an encrypted secret or a hash: enough to see that it changed, and nothing that opens it.
const TAIL = -8;

/** The statements around a change of a setting, which keep what changed for its notice; none of a setting without a notice. */
export function toldAround(
  { actor, now }: { actor: Actor; now: number },
  setting: SettingName | undefined,
): { before: SQL[]; after: SQL[] } {
  const told = setting && settingNamed(setting).told;
  if (told === undefined) return { before: [], after: [] };
  const stored = sql`SELECT key, value FROM json_each(${changes.was})`;
  return {
    before: [
      sql`INSERT INTO ${changes} (rule, setting, actor, at, was)
        VALUES (${told.rule}, ${setting}, ${actor.name}, ${now}, ${grouped(recordsOf(told))})`,
    ],
    after: [
      sql`UPDATE ${changes} SET was = ${grouped(sql`${stored} EXCEPT ${recordsOf(told)}`)},
        becomes = ${grouped(sql`${recordsOf(told)} EXCEPT ${stored}`)}
        WHERE ${changes.id} = (SELECT max(${changes.id}) FROM ${changes})`,
    ],
  };
}

function recordsOf({ table, id, shows, secrets = [] }: Told): SQL {
  const members = [
    ...shows.map((name) => `'${name}', ${name}`),
    ...secrets.map((name) => `'${name}', substr(${name}, ${TAIL})`),
  ];
  return sql.raw(
    `SELECT CAST(${id} AS TEXT) AS key, json_object(${members.join(", ")}) AS value FROM ${table}`,
  );
}

function grouped(records: SQL): SQL {
  return sql`(SELECT json_group_object(key, json(value)) FROM (${records}))`;
}

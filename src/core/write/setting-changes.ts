import { type SQL, sql } from "drizzle-orm";
import { type SettingName, type Told, toldOf } from "#shared/settings.ts";
import { settingChanges as changes } from "#tables/core";
import type { Actor } from "../context.ts";

// Of an encrypted secret or a hash: enough to see that it changed, and nothing that opens it.
const TAIL = -8;

/** The statements around a change of a setting, which keep what changed for its notices; none of a setting without one. */
export function toldAround(
  { actor, now }: { actor: Actor; now: number },
  setting: SettingName | undefined,
): { before: SQL[]; after: SQL[] } {
  const told = setting === undefined ? [] : toldOf(setting);
  const stored = sql`SELECT key, value FROM json_each(${changes.was})`;
  const newest = sql`(SELECT ${changes.id} FROM ${changes} ORDER BY ${changes.id} DESC LIMIT ${told.length})`;
  return {
    before: told.map(
      (one) => sql`INSERT INTO ${changes} (rule, setting, actor, at, was)
        VALUES (${one.rule}, ${setting}, ${`${actor.name}, ${actor.id}`}, ${now}, ${grouped(recordsOf(one))})`,
    ),
    after: told.map(
      (one) => sql`UPDATE ${changes} SET was = ${grouped(sql`${stored} EXCEPT ${recordsOf(one)}`)},
        becomes = ${grouped(sql`${recordsOf(one)} EXCEPT ${stored}`)}
        WHERE ${changes.id} IN ${newest} AND ${changes.rule} = ${one.rule} AND ${changes.becomes} IS NULL`,
    ),
  };
}

/** The statement that lets the changes of a notice go: with its message, once that is out, or at once where it has none. */
export function endNotice(notification: number, message: string | null): SQL {
  const itsChanges = sql`${changes.notificationId} = ${notification}`;
  return message === null
    ? sql`DELETE FROM ${changes} WHERE ${itsChanges}`
    : sql`UPDATE ${changes} SET message_id = ${message} WHERE ${itsChanges}`;
}

/** The statement by which a message leaves the provider of before the change that it reports. */
export function leaveRoute(message: string): SQL {
  return sql`UPDATE ${changes} SET route = NULL WHERE ${changes.messageId} = ${message}`;
}

/** The SELECT of a setting's records: `key` is the id, and `value` the members. */
export function recordsOf({ table, id = "id", shows, secrets = [] }: Told): SQL {
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

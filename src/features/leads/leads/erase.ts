import { sql } from "drizzle-orm";
import { among, isTheirContact, lastNines, ofPerson, personEraser } from "#features/erasures";
import { leadSubmissions, leads } from "#tables/leads";
import { ATTACHMENTS } from "./attachments.ts";
import { leadErasure } from "./retention.ts";

type Row = { id: number; email: string | null; phone: string | null; name: string; paths: string[] };

/** The leads of a person, with all that was sent of them. */
export const leadEraser = personEraser<Row>({
  erasure: leadErasure,
  scope: "settings:write",
  counts: "leads",
  externalIds: "lead",
  named: { by: "lead_id", in: leads },
  find: (
    _ctx,
    person,
  ) => sql`SELECT json_object('id', ${leads.id}, 'email', ${leads.emailNorm}, 'phone', ${leads.phone},
    'name', ${leads.name}, 'paths', (SELECT json_group_array(${leadSubmissions.attachmentPath}) FROM ${leadSubmissions}
      WHERE ${leadSubmissions.leadId} = ${leads.id} AND ${leadSubmissions.attachmentPath} IS NOT NULL)) AS snapshot
    FROM ${leads} WHERE ${leads.id} IN (
      SELECT ${leads.id} FROM ${leads} WHERE ${leads.emailNorm} IN ${among(person.emails)}
      UNION SELECT ${leads.id} FROM ${leads} WHERE ${leads.phoneLast9} IN ${among(lastNines(person))}
      UNION SELECT ${person.given.lead_id ?? 0})`,
  theirs(rows, person) {
    const mine = rows.filter((row) => row.id === person.given.lead_id || isTheirContact(row, person));
    return { ...ofPerson(mine), files: { folder: ATTACHMENTS, paths: mine.flatMap(({ paths }) => paths) } };
  },
});

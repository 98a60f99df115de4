import { sql } from "drizzle-orm";
import { among, isTheirContact, lastNineOf, lastNines, ofPerson, personEraser } from "#features/erasures";
import { applications } from "#tables/recruitment";
import { RESUMES } from "./resumes.ts";
import { applicationErasure } from "./retention.ts";

type Row = { id: number; email: string; phone: string | null; name: string; path: string };

/** The applications of a person, with their resumes. */
export const applicationEraser = personEraser<Row>({
  erasure: applicationErasure,
  scope: "settings:write",
  counts: "applications",
  named: { by: "application_id", in: applications },
  find: (_ctx, person) => sql`SELECT json_object('id', ${applications.id}, 'email', ${applications.emailNorm},
    'phone', ${applications.phone}, 'name', ${applications.firstName}, 'path', ${applications.resumePath}) AS snapshot
    FROM ${applications} WHERE ${applications.id} IN (
      SELECT ${applications.id} FROM ${applications} WHERE ${applications.emailNorm} IN ${among(person.emails)}
      UNION SELECT ${applications.id} FROM ${applications} WHERE ${applications.phone} IS NOT NULL
        AND ${lastNineOf(sql`${applications.phone}`)} IN ${among(lastNines(person))}
      UNION SELECT ${person.given.application_id ?? 0})`,
  theirs(rows, person) {
    const mine = rows.filter((row) => row.id === person.given.application_id || isTheirContact(row, person));
    return { ...ofPerson(mine), files: { folder: RESUMES, paths: mine.map(({ path }) => path) } };
  },
});

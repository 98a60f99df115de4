import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { document } from "#test/api-document.ts";
import { type DocumentShape, narrowings, readShape, shapeOf } from "#test/document-shape.ts";

const ROOT = join(import.meta.dirname, "../../..");
const now = shapeOf(document);
const { release, ...written } = JSON.parse(
  await readFile(join(ROOT, "test/vectors/api-document.json"), "utf8"),
);
const frozen = readShape(written);
const changelog = await readFile(join(ROOT, "CHANGELOG.md"), "utf8");

/** What a change of one place narrows. */
function narrowedBy(kind: keyof DocumentShape, owner: string, places: object): string[] {
  return narrowings(now, { ...now, [kind]: { ...now[kind], [owner]: { ...now[kind][owner], ...places } } });
}

test("no operation, parameter or member of the frozen document is gone or narrower without a line in CHANGELOG.md", () => {
  const undocumented = narrowings(frozen, now).filter((line) => !changelog.includes(line));
  expect(undocumented).toEqual([]);
});

test("the frozen document is that of the newest release", () => {
  expect(release).toBe(/^## (\d+\.\d+\.\d+)/m.exec(changelog)?.[1]);
});

test("nothing is deprecated before its answers have the headers that docs/versions.md promises", () => {
  expect(JSON.stringify(document)).not.toContain('"deprecated":');
});

test("what is added is no narrowing, unless it must be sent", () => {
  const added = { pet_name: { types: ["string"], required: true } };
  const optional = { pet_name: { types: ["string"] } };
  const query = { "query year": { types: ["integer"] } };
  expect(narrowedBy("schemas", "Unit", added)).toEqual([]);
  expect(narrowedBy("schemas", "CreateCustomerBody", optional)).toEqual([]);
  const sent = ["`CreateCustomerBody pet_name` must be sent now"];
  expect(narrowedBy("schemas", "CreateCustomerBody", added)).toEqual(sent);
  expect(narrowedBy("operations", "GET /invoices/{company}", query)).toEqual([]);
});

test("each way to narrow the document is named", () => {
  const { "GET /invoices/{company}": _gone, ...fewer } = now.operations;
  expect(narrowings(now, { ...now, operations: fewer })).toEqual(["`GET /invoices/{company}` is gone"]);
  const reply = (place: object) => narrowedBy("schemas", "Unit", { code: place });
  expect(reply({ types: ["string"] })).toEqual(["`Unit code` may be missing now"]);
  expect(reply({ types: ["string", "null"], required: true })).toEqual(["`Unit code` has another type"]);
  const body = (name: string, place: object) =>
    narrowedBy("schemas", "CreateCustomerBody", { [name]: place });
  expect(body("notes", { types: ["string", "null"], required: true })).toContain(
    "`CreateCustomerBody notes` must be sent now",
  );
  expect(body("display_name", { types: ["null"] })).toEqual([
    "`CreateCustomerBody display_name` has another type",
  ]);
  const { values = [] } = now.schemas.Scope?.[""] ?? {};
  expect(values.length).toBeGreaterThan(1);
  const scopes = { "": { types: ["string"], values: values.slice(1) } };
  expect(narrowedBy("schemas", "Scope", scopes)).toEqual([`\`Scope \` has no ${values[0]} any more`]);
});

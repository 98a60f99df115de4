import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openApiDocument } from "#api/openapi/document.ts";
import { type DocumentShape, narrowings, readShape, shapeOf } from "#test/document-shape.ts";
import { operations, platformOperations } from "../../../src/wiring/operations.ts";
import { webhooks } from "../../../src/wiring/webhooks.ts";

const ROOT = join(import.meta.dirname, "../../..");
const now = shapeOf(openApiDocument(operations, platformOperations, webhooks));
const frozen = readShape(JSON.parse(await readFile(join(ROOT, "test/vectors/api-document.json"), "utf8")));

/** The shape after a change of one place. */
function changed(kind: keyof DocumentShape, owner: string, places: object): DocumentShape {
  return { ...now, [kind]: { ...now[kind], [owner]: { ...now[kind][owner], ...places } } };
}

test("no operation, parameter or member of the frozen document is gone or narrower without a line in CHANGELOG.md", async () => {
  const changelog = await readFile(join(ROOT, "CHANGELOG.md"), "utf8");
  const undocumented = narrowings(frozen, now).filter((line) => !changelog.includes(line));
  expect(undocumented).toEqual([]);
});

test("what is added is no narrowing, unless it must be sent", () => {
  const added = { nickname: { types: ["string"], required: true } };
  expect(narrowings(now, changed("schemas", "Unit", added))).toEqual([]);
  expect(
    narrowings(now, changed("schemas", "CreateCustomerBody", { nickname: { types: ["string"] } })),
  ).toEqual([]);
  expect(narrowings(now, changed("schemas", "CreateCustomerBody", added))).toEqual([
    "`CreateCustomerBody nickname` must be sent now",
  ]);
  expect(
    narrowings(
      now,
      changed("operations", "GET /invoices/{company}", { "query year": { types: ["integer"] } }),
    ),
  ).toEqual([]);
});

test("each way to narrow the document is named", () => {
  const { "GET /invoices/{company}": _gone, ...fewer } = now.operations;
  expect(narrowings(now, { ...now, operations: fewer })).toEqual(["`GET /invoices/{company}` is gone"]);
  const reply = (place: object) => narrowings(now, changed("schemas", "Unit", { code: place }));
  expect(reply({ types: ["string"] })).toEqual(["`Unit code` may be missing now"]);
  expect(reply({ types: ["string", "null"], required: true })).toEqual(["`Unit code` has another type"]);
  const body = (name: string, place: object) =>
    narrowings(now, changed("schemas", "CreateCustomerBody", { [name]: place }));
  expect(body("notes", { types: ["string", "null"], required: true })).toContain(
    "`CreateCustomerBody notes` must be sent now",
  );
  expect(body("display_name", { types: ["null"] })).toEqual([
    "`CreateCustomerBody display_name` has another type",
  ]);
  const { values = [] } = now.schemas.Scope?.[""] ?? {};
  expect(values.length).toBeGreaterThan(1);
  const scopes = { "": { types: ["string"], values: values.slice(1) } };
  expect(narrowings(now, changed("schemas", "Scope", scopes))).toEqual([
    `\`Scope \` has no ${values[0]} any more`,
  ]);
});

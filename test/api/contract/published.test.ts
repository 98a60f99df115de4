import { describe, expect, test } from "vitest";
import { type Spot, spotsOf } from "#test/document-places.ts";
import { escaped, faultsAt, type Json, published } from "#test/published.ts";
import { document } from "../../../src/build/document.ts";

const before = spotsOf(document);

type Schema = Json & { properties?: Record<string, Schema>; items?: Schema };

/** Every schema of a document but those of webhooks, which no generator of clients reads, with its place. */
function schemasIn(node: unknown, place = "", isSchema = false): [place: string, schema: Schema][] {
  if (typeof node !== "object" || node === null) return [];
  return [
    ...(isSchema ? [[place, node] as [string, Schema]] : []),
    ...Object.entries(node).flatMap(([name, value]) => {
      if (/^(?:examples?|webhooks|required|enum|default)$/.test(name) && !place.endsWith("/properties"))
        return [];
      const isMap = /\/(?:properties|schemas|anyOf|oneOf|allOf)$/.test(place);
      const holdsOne = /^(?:schema|items|additionalProperties)$/.test(name) && !place.endsWith("/properties");
      return schemasIn(value, `${place}/${name}`, isMap || (holdsOne && typeof value === "object"));
    }),
  ];
}

/** The places whose schema is one that the check names. */
function placesWhere(file: object, check: (schema: Schema) => boolean): string[] {
  return schemasIn(file).flatMap(([place, schema]) => (check(schema) ? [place] : []));
}

describe.each(published)("$file", ({ document: file }) => {
  const schemas = file.components.schemas as Record<string, Schema>;
  const typesOf = ({ type }: Schema) => [type].flat();

  test("says of every number how large it may be: without it Go reads float32, and 150000.01 becomes 150000.02", () => {
    const numbers = placesWhere(file, (one) =>
      typesOf(one).some((type) => type === "number" || type === "integer"),
    );
    expect(numbers.length).toBeGreaterThan(500);
    const silent = placesWhere(file, (one) => {
      const [type] = typesOf(one).filter((other) => other !== "null");
      const formats = type === "number" ? ["double"] : type === "integer" ? ["int32", "int64"] : [one.format];
      return !formats.includes(one.format as string);
    });
    expect(silent).toEqual([]);
    expect(schemas.Invoice?.properties?.total_amount).toMatchObject({ type: "number", format: "double" });
    expect(schemas.CheckoutResult?.properties?.order_id).toMatchObject({ format: "int64" });
  });

  test("has no union, no part and no constant, which few generators take", () => {
    expect(
      placesWhere(file, (one) => ["anyOf", "oneOf", "allOf", "const", "not"].some((word) => word in one)),
    ).toEqual([]);
    expect(placesWhere(file, (one) => typesOf(one).filter((type) => type !== "null").length > 1)).toEqual([]);
    expect(placesWhere(file, ({ type }) => type === "null")).toEqual([]);
  });

  test("takes an id in the form that answers give it, text where they have both", () => {
    const formOf = (body: string, id: string) => typesOf(schemas[body]?.properties?.[id] ?? {})[0];
    expect(formOf("CreateBookingBody", "instructor_id")).toBe("integer");
    expect(formOf("RecordPaymentBody", "payment_mode_id")).toBe("integer");
    expect(formOf("RecordPaymentBody", "invoice_id")).toBe("string");
    expect(formOf("CheckoutBodyItem", "product_id")).toBe("string");
  });

  test("has one schema of errors, and the codes of an operation in the description of its reply", () => {
    const { responses = {} } = file.components;
    const failures = Object.values(responses).filter(({ description }) =>
      String(description).startsWith("- `"),
    );
    expect(failures.length).toBeGreaterThan(100);
    const schema = { $ref: "#/components/schemas/Problem" };
    for (const failure of failures) expect(failure.content).toMatchObject({ "application/json": { schema } });
    expect(Object.keys(schemas).filter((name) => name.endsWith("Problem"))).toEqual(["Problem"]);
    expect(schemas.Problem).toMatchObject({ additionalProperties: true });
  });

  test("has a name for each record of a list, so that a program can make one", () => {
    const inline = Object.entries(schemas).flatMap(([name, schema]) =>
      schemasIn(schema, name).flatMap(([place, one]) =>
        /\/items$/.test(place) && one.properties ? [place] : [],
      ),
    );
    expect(inline).toEqual([]);
    expect(schemas.InvoiceBody?.properties?.items?.items).toEqual({
      $ref: "#/components/schemas/InvoiceBodyItem",
    });
  });

  test("has no name that a generator makes itself, or that its language has for something else", () => {
    const names = ["schemas", "parameters", "responses"].flatMap((kind) =>
      Object.keys(file.components[kind] ?? {}).map((name) => ({ kind, name })),
    );
    const counts = Map.groupBy(names, ({ name }) => name.replaceAll(/\W|_/g, "").toLowerCase());
    expect([...counts.values()].filter((some) => some.length > 1)).toEqual([]);
    // Go: `NewBooking()` makes a `Booking`, and `NullableBooking` is one that may be null.
    const made = names.filter(
      ({ name }) => /^(?:New|Nullable)[A-Z]/.test(name) && name.replace(/^New|^Nullable/, "") in schemas,
    );
    expect(made).toEqual([]);
    const lists = new Map<string, string>();
    const walk = (name: string, schema: Schema): void => {
      if (schema.enum !== undefined) expect(lists.get(name.toLowerCase()), name).toBeUndefined();
      if (schema.enum !== undefined) lists.set(name.toLowerCase(), name);
      for (const [member, one] of Object.entries(schema.properties ?? {}))
        walk(name + member.replaceAll("_", ""), one);
      if (schema.items !== undefined) walk(name, schema.items);
    };
    for (const [name, schema] of Object.entries(schemas)) walk(name, schema);
    expect(Object.keys(schemas).filter((name) => RESERVED.includes(name))).toEqual([]);
  });

  test("takes and answers what the API does: only of what may be sent in several forms it has one", () => {
    const now = spotsOf(file);
    const changes = new Set([...before].flatMap(([place, spot]) => changed(place, spot, now)));
    expect([...changes].sort()).toEqual([
      "POST /messaging/{company}/email sent body.to.email is gone",
      "POST /messaging/{company}/email sent body.to.name is gone",
      "sent array|object|string as array",
      "sent boolean|null|string as boolean|null",
      "sent integer|null|string as integer|null",
      "sent integer|null|string as null|string",
      "sent integer|string as integer",
      "sent integer|string as string",
      "sent null|number|string as null|number",
      "sent null|object|string as null|object",
      // A file that is null is none.
      "sent null|string as string",
      "sent object|string as object",
    ]);
    expect(now.size).toBeGreaterThan(5_000);
  });

  test("shows samples that its own schemas accept", () => {
    const samples = Object.entries(file.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { requestBody, responses }]) =>
        [
          { part: ["requestBody"], content: requestBody?.content },
          ...Object.entries(responses).map(([status, { content }]) => ({
            part: ["responses", status],
            content,
          })),
        ].flatMap(({ part, content }) => {
          const media = content?.["application/json"];
          if (media?.example === undefined) return [];
          const place = ["paths", path, method, ...part, "content", "application/json", "schema"];
          return [faultsAt(`#/${place.map(escaped).join("/")}`, media.example)];
        }),
      ),
    );
    expect(samples.length).toBeGreaterThan(100);
    expect(samples.flat()).toEqual([]);
  });

  test("describes itself in few words, for generators copy them into each of thousands of files", () => {
    expect(file.info.description.length).toBeLessThan(400);
    for (const link of ["(/docs/pages/conventions)", "(/docs/guides)", "(/errors)"])
      expect(file.info.description).toContain(link);
  });
});

// java.lang, which each file of Java has without an import, and the types that each language has under such a name.
const RESERVED = `
  Boolean Byte Character Class Comparable Deprecated Double Enum Error Exception Float Integer Iterable Long Math Module
  Number Object Override Package Process Record Runnable Short String System Thread Void
  Any Array Blob Client Configuration Date Dict Field File Function Generic List Map None Optional Pair Promise Request
  Response Result Set Time Type Union UUID
`.split(/\s+/);

/** How what may stand at a place is another thing now, in words; empty for what is as it was. */
function changed(place: string, old: Spot, all: Map<string, Spot>): string[] {
  const now = all.get(place);
  const isSent = / sent /.test(place);
  if (now === undefined) {
    const holder = all.get(place.replace(/(?:\[\]|\.\w+)$/, ""));
    return holder === undefined || holder.types.includes("any") ? [] : [`${place} is gone`];
  }
  const isWhole = now.types.join() === "integer" && old.values.length > 0;
  const isTaken = (type: string) => isWhole || now.types.includes(type) || now.types.includes("any");
  const isShown = (value: unknown) => now.values.length === 0 || now.values.includes(value);
  return [
    ...(old.types.every(isTaken)
      ? []
      : [`${isSent ? "sent" : place} ${old.types.join("|")} as ${now.types.join("|")}`]),
    ...(old.values.every(isShown) ? [] : [`${place} lacks a value`]),
    ...(old.required === now.required ? [] : [`${place} is ${now.required ? "" : "not "}required`]),
  ];
}

test("the twin has no word that OpenAPI 3.0 has not", () => {
  const { document: twin } = published.find(({ file }) => file.includes("3.0")) ?? {};
  expect(twin).toMatchObject({ openapi: "3.0.3" });
  expect(Object.keys(twin ?? {})).not.toContain("webhooks");
  const words = new Set(schemasIn(twin).flatMap(([, schema]) => Object.keys(schema)));
  const known =
    "$ref type format description properties required items additionalProperties enum default nullable readOnly example minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength pattern minItems maxItems uniqueItems minProperties maxProperties multipleOf";
  expect([...words].filter((word) => !known.split(" ").includes(word) && !word.startsWith("x-"))).toEqual([]);
  const lists = schemasIn(twin).filter(([, { type }]) => Array.isArray(type));
  expect(lists).toEqual([]);
  expect(schemasIn(twin).filter(([, schema]) => "$ref" in schema && Object.keys(schema).length > 1)).toEqual(
    [],
  );
});

import { describe, expect, test } from "vitest";
import * as z from "zod";
import { document } from "#test/api-document.ts";
import { Event } from "../../../src/features/events/schema.ts";
import { EVENT_TYPES, TYPE_NAMES } from "../../../src/features/events/types.ts";
import { operations, platformOperations } from "../../../src/wiring/operations.ts";
import { allResources } from "../../../src/wiring/resources.ts";

const RESOURCES = await allResources();

type Json = { [member: string]: unknown };

const components = document.components as Record<string, Json>;

/** What stands at a reference, or the thing itself. */
function resolved(node: unknown): Json {
  const { $ref } = node as { $ref?: string };
  if ($ref === undefined) return node as Json;
  const [, , kind = "", name = ""] = $ref.split("/");
  return components[kind]?.[name] as Json;
}

/** Every schema that stands under `properties`, however deep. */
function memberNames(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) => [
    ...(name === "properties" ? Object.keys(value) : []),
    ...memberNames(value),
  ]);
}

test("has a webhook for each type of event, and for nothing else", () => {
  expect(Object.keys(document.webhooks)).toEqual(TYPE_NAMES);
  const ids = Object.values(document.webhooks).map(({ post }) => post.operationId);
  expect(new Set(ids).size).toBe(TYPE_NAMES.length);
  const taken = [...operations, ...platformOperations].map(({ id }) => id);
  expect(ids.filter((id) => taken.includes(id))).toEqual([]);
});

test("no record's schema is written a second time for its webhooks", () => {
  expect([...new Set(memberNames(document.webhooks))]).toEqual(["type", "data"]);
  const { length } = JSON.stringify(
    Object.values(document.webhooks).map(({ post }) => ({ ...post, requestBody: 0 })),
  );
  expect(length / TYPE_NAMES.length).toBeLessThan(1_000);
});

describe.each(TYPE_NAMES)("%s", (type) => {
  const { resource: name, description } = EVENT_TYPES[type];
  const resource = RESOURCES.find((one) => one.name === name);
  const post = document.webhooks[type]?.post;
  if (resource === undefined || post === undefined) throw new Error(`${type} has no webhook`);
  const { schema, example } = post.requestBody.content["application/json"];
  const event = example as z.output<typeof Event>;

  test("is posted without a key, signed as Standard Webhooks says", () => {
    expect(Object.keys(document.webhooks[type] ?? {})).toEqual(["post"]);
    expect(post).toMatchObject({ summary: type, tags: ["Webhooks"], security: [] });
    expect(post.description).toContain(description);
    expect(post.description).toContain(`\`${resource.scope}\``);
    expect(post.description.includes("on demand")).toBe("onDemand" in EVENT_TYPES[type]);
    const headers = post.parameters.map(resolved);
    expect(headers.map((header) => header.name)).toEqual([
      "webhook-id",
      "webhook-timestamp",
      "webhook-signature",
    ]);
    for (const header of headers) expect(header).toMatchObject({ in: "header", required: true });
  });

  test("says which answers accept it, and which one ends the endpoint", () => {
    expect(Object.keys(post.responses).sort()).toEqual(["2XX", "410", "default"]);
    for (const response of Object.values(post.responses)) expect(resolved(response).description).not.toBe("");
    expect(resolved(post.responses["410"]).description).toContain("disabled");
  });

  test("has the schema that the record's own read has", () => {
    const read = operations.find((operation) => operation.result === resource.record);
    const path = read?.path.replaceAll(/:(\w+)/g, "{$1}") ?? "";
    const reply = document.paths[path]?.[read?.method ?? ""]?.responses[read?.status ?? 0];
    const [envelope, own] = schema.allOf as [Json, { properties: { type: Json; data: { anyOf: Json[] } } }];
    expect(envelope).toEqual({ $ref: "#/components/schemas/Event" });
    expect(own.properties.type).toMatchObject({ const: type });
    const [record, omitted] = own.properties.data.anyOf;
    const shown = (reply as { content: Record<string, { schema: Json }> }).content["application/json"]
      ?.schema;
    expect(JSON.stringify([shown, resolved(shown)])).toContain(`"${record?.$ref}"`);
    const { properties, allOf } = resolved(record);
    expect(properties ?? allOf).toBeDefined();
    expect(omitted).toEqual({ $ref: "#/components/schemas/OmittedRecord" });
  });

  test("shows an event that the schemas accept as it stands", () => {
    expect(Event.parse(event)).toEqual(event);
    expect(event).toMatchObject({ type, data_omitted: false });
    expect(resource.record.parse(event.data)).toEqual(event.data);
    // The document's own words, without the code that wrote them.
    const text = JSON.stringify({ ...schema, $defs: components.schemas });
    const parser = z.fromJSONSchema(JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/")));
    expect(parser.safeParse(event).error).toBeUndefined();
    expect(parser.safeParse({ ...event, data: { id: event.data.id }, data_omitted: true }).success).toBe(
      true,
    );
    expect(parser.safeParse({ ...event, type: "other" }).success).toBe(false);
    expect(parser.safeParse({ ...event, data: {} }).success).toBe(false);
  });

  test("shows what changed: words, ids, dates and times that are others now", () => {
    for (const [member, before] of Object.entries(event.previous ?? {})) {
      expect(["string", "number"]).toContain(typeof before);
      const now = member === "instructor_id" ? (event.data.instructor as Json).id : event.data[member];
      expect(now).toBeDefined();
    }
  });
});

import Ajv from "@redocly/ajv/dist/2020.js";
import { expect, test } from "vitest";
import { document } from "#test/api-document.ts";

type Schema = {
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  required?: string[];
} & { [word in "anyOf" | "oneOf" | "allOf"]?: Schema[] };
type Parameter = { name: string; description?: string; required?: boolean; schema: Schema };
type Member = { path: string; schema: Schema; mustBeSent: boolean };

/** What a description says, and values of which its schema takes one if that is so. */
const CLAIMS: readonly (readonly [says: RegExp, ...samples: unknown[]])[] = [
  [/\bHH:MM\b/, "09:30"],
  [/\bISO 4217\b/, "INR"],
  [/\balpha-2\b|\btwo letters\b/i, "IN"],
  [/\b(?:code|letters),? or (?:a|an English|its) name\b(?! of at most)/, "Australia"],
  [/^(?:an?|the) https address\b/i, "https://shop.example/a.png"],
  [/\bIANA\b/, "Asia/Kolkata"],
  [/^the (?:company's )?`?slug\b/i, "demo"],
  [/\bin (?:\w+ )?words\b/i, "About two lakh"],
  [/^(?:true|whether)\b/i, true, "true"],
  [/^(?:minutes|hours|days|seconds|how (?:many|often|long)|in (?:bytes|years|days|minutes))\b/i, 1, 0, "1"],
  [/\bnull(?::| (?:for|if|until|where|while|without|outside|before)\b)/i, null],
];

const { schemas } = document.components as { schemas: Record<string, Schema> };
const ajv = new Ajv({ strict: false, validateFormats: false });
for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, `#/components/schemas/${name}`);

function takes(schema: Schema, sample: unknown): boolean {
  return ajv.validate({ ...schema }, sample);
}

/** The members of a schema that say something, however deep. */
function membersOf(schema: Schema, path: string): Member[] {
  const { anyOf = [], oneOf = [], allOf = [], items, additionalProperties, properties = {} } = schema;
  const within = [...anyOf, ...oneOf, ...allOf, items, additionalProperties];
  return [
    ...within.flatMap((one) => (typeof one === "object" ? membersOf(one, path) : [])),
    ...Object.entries(properties).flatMap(([name, member]) => [
      { path: `${path}.${name}`, schema: member, mustBeSent: schema.required?.includes(name) === true },
      ...membersOf(member, `${path}.${name}`),
    ]),
  ];
}

const operationsOf = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const parameters = [
  ...Object.values(document.components.parameters as Record<string, Parameter>),
  ...operationsOf.flatMap((operation) => operation.parameters as Parameter[]),
].filter((one) => "schema" in one);
const members: Member[] = [
  ...Object.entries(schemas).flatMap(([name, schema]) => membersOf(schema, name)),
  ...parameters.map(({ name, description, required, schema }) => ({
    path: name,
    schema: { ...schema, ...(description !== undefined && { description }) },
    mustBeSent: required === true,
  })),
];

test.each(CLAIMS.map((claim) => ({ claim })))("what says $claim.0 takes $claim.1", ({ claim }) => {
  const [says, ...samples] = claim;
  const claiming = members.filter(({ schema }) => says.test(schema.description ?? ""));
  expect(claiming).not.toEqual([]);
  const untrue = claiming.filter(({ schema }) => !samples.some((one) => takes(schema, one)));
  expect(untrue.map(({ path, schema }) => `${path}: ${schema.description}`)).toEqual([]);
});

test("an amount in the smallest unit is a whole number", () => {
  const minor = members.filter(({ schema }) => /\b(?:minor|smallest) unit/.test(schema.description ?? ""));
  expect(minor).not.toEqual([]);
  expect(minor.filter(({ schema }) => takes(schema, 1.5))).toEqual([]);
});

test("what has a default need not be sent", () => {
  const preset = members.filter(({ schema }) => /\bdefault: /i.test(schema.description ?? ""));
  expect(preset.length).toBeGreaterThan(20);
  expect(preset.filter(({ mustBeSent }) => mustBeSent).map(({ path }) => path)).toEqual([]);
});

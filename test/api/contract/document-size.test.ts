import { expect, test } from "vitest";
import { openApiDocument } from "#api/openapi/document.ts";
import { operations, platformOperations } from "../../../src/wiring/operations.ts";
import { webhooks } from "../../../src/wiring/webhooks.ts";

const document = openApiDocument(operations, platformOperations, webhooks);
const errors = Object.values(document.paths).flatMap((methods) =>
  Object.values(methods).flatMap(({ responses }) =>
    Object.entries(responses).filter(([status]) => /^[45]/.test(status)),
  ),
);

test("error replies are components, and no two of them say the same", () => {
  const inline = errors.filter(([, reply]) => !("$ref" in reply));
  expect(inline.map(([status]) => status)).toEqual(["503"]); // That of /ready, which is no problem.
  const { responses } = document.components as { responses: Record<string, { description: string }> };
  const texts = Object.values(responses).map(({ description }) => description);
  expect(new Set(texts).size).toBe(texts.length);
});

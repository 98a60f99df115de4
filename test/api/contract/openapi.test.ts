import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { DocumentedOperation } from "#api/openapi/document.ts";
import { type Operation, scopesOf } from "#api/operations/operation.ts";
import { PROBLEMS } from "#shared/problem.ts";
import { document } from "#test/api-document.ts";
import { publishedFiles, shownDocument } from "../../../src/build/document.ts";
import { operations, platformOperations } from "../../../src/wiring/operations.ts";
import { findingsOf } from "./findings.ts";

const ROOT = join(import.meta.dirname, "../../..");
const all = [...operations, ...platformOperations];

function documented({ method, path }: Operation): DocumentedOperation {
  const found = document.paths[template(path)]?.[method];
  if (found === undefined) throw new Error(`${method} ${path} is not in the document`);
  return found;
}

/** Names every operation of which the check throws, in one failure. */
function noFinding(check: (operation: Operation) => void): void {
  expect(findingsOf(all, ({ id }) => id, check)).toEqual([]);
}

function template(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}");
}

/** Every value in the document that stands under this name. */
function valuesOf(name: string, node: unknown): unknown[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => [
    ...(key === name ? [value] : []),
    ...valuesOf(name, value),
  ]);
}

function resolve(reference: string): unknown {
  const names = reference.replace(/^#\//, "").split("/");
  return names.reduce<unknown>(
    (node, name) => (node as Record<string, unknown> | undefined)?.[name],
    document,
  );
}

/** What a reply says, where it stands or where it refers to. */
function described(reply: DocumentedOperation["responses"][string] | undefined): string {
  const found = reply !== undefined && "$ref" in reply ? resolve(reply.$ref) : reply;
  return (found as { description: string } | undefined)?.description ?? "";
}

function parameterNames(operation: Operation, place: "path" | "query" | "header"): string[] {
  return documented(operation)
    .parameters.map((one) => ("$ref" in one ? resolve(one.$ref) : one) as { name: string; in: string })
    .filter((one) => one.in === place)
    .map(({ name }) => name);
}

describe("the document", () => {
  test("has every operation and what monitors ask, and no other address", () => {
    const addresses = all.map(({ method, path }) => `${method.toUpperCase()} ${template(path)}`);
    const inDocument = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(inDocument.sort()).toEqual([...addresses, "GET /health", "GET /ready"].sort());
  });

  test("refers to nothing that it does not have", () => {
    const references = new Set(valuesOf("$ref", document) as string[]);
    expect([...references].filter((reference) => resolve(reference) === undefined)).toEqual([]);
  });

  test("refuses no e-mail address that the API takes, such as one whose host is of another script", () => {
    const patterns = (valuesOf("pattern", document) as string[]).filter((one) => one.includes("+@"));
    expect(patterns).not.toEqual([]);
    for (const one of patterns) expect("asha@ब्लॉग.भारत").toMatch(new RegExp(one));
    expect(shownDocument.info.description).toContain("Its host may be of any script");
  });

  test("is what the build writes, beside a page that asks this host alone", async () => {
    const folder = await mkdtemp(join(tmpdir(), "company-operations-assets-"));
    try {
      await promisify(execFile)(process.execPath, [join(ROOT, "src/build/assets.ts"), folder]);
      for (const [name, published] of Object.entries(publishedFiles))
        expect(await readFile(join(folder, name), "utf8")).toBe(JSON.stringify(published));
      const page = await readFile(join(folder, "docs/index.html"), "utf8");
      const asked = [...page.matchAll(/ (?:src|href)="\/docs\/([^"]+)"/g)].map(([, name]) => name);
      // The page links to the guides besides, which stand in folders of their own with a script.
      const files = new Set([...asked, "index.html", "guides", "guides.js", "pages"]);
      expect([...files].sort()).toEqual((await readdir(join(folder, "docs"))).sort());
      expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe("of each operation the document", () => {
  test("has the parameters of its path and its query, and says where an Idempotency-Key is taken", () => {
    noFinding((operation) => {
      const names = [...operation.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      expect(parameterNames(operation, "path")).toEqual(names);
      const query = parameterNames(operation, "query");
      expect(query).not.toContain("page");
      expect(query.includes("cursor")).toBe(typeof operation.list === "function");
      const keyed = operation.method !== "get" && operation.idempotent !== false;
      const headers = [operation.version === "checked" ? "If-Match" : "", keyed ? "Idempotency-Key" : ""];
      expect(parameterNames(operation, "header")).toEqual(headers.filter((name) => name !== ""));
    });
  });

  test("says what it asks of the key, and whether it is built", () => {
    noFinding((operation) => {
      const found = documented(operation);
      expect(found["x-scopes"]).toEqual(scopesOf(operation));
      expect(found["x-status"]).toBe(operation.planned ? "planned" : "available");
      const schemes = found.security.map((one) => Object.keys(one));
      if (operation.scope === "platform") expect(schemes).toEqual([["platformToken"]]);
      else expect(schemes[0]).toEqual(["clientId", "clientSecret"]);
      expect(schemes.some((names) => names.join() === "clientId")).toBe(operation.keys === "any");
    });
  });

  test("has its success, and every code of its own under its status", () => {
    noFinding((operation) => {
      const { responses } = documented(operation);
      expect(responses[operation.status]).toBeDefined();
      const own = operation.planned ? ["operation_not_available" as const] : operation.problems;
      for (const code of own)
        expect(described(responses[operation.problemStatuses?.[code] ?? PROBLEMS[code][0]])).toContain(
          `\`${code}\``,
        );
      expect(Object.keys(responses).filter((status) => status.startsWith("4")).length).toBeGreaterThan(1);
    });
  });
});

test("no two tags of the reference are shown under one name", () => {
  const shown = document.tags.map((tag) => tag["x-displayName"] ?? tag.name);
  expect(shown).toEqual([...new Set(shown)]);
});

test("the reference's tags are groups by what they are about, none of them a drawer for everything", () => {
  const counts = new Map<string, number>();
  for (const operation of all) counts.set(operation.area, (counts.get(operation.area) ?? 0) + 1);
  expect([...counts.keys()]).not.toContain("Settings");
  for (const [tag, count] of counts)
    if (tag.startsWith("Settings: ")) expect({ tag, few: count <= 15 }).toEqual({ tag, few: true });
  const { tags, "x-tagGroups": groups } = document;
  expect(groups.slice(-3).map(({ name }) => name)).toEqual(["Settings", "Events", "Service"]);
  expect(groups.flatMap((group) => group.tags)).toEqual(tags.map(({ name }) => name));
});

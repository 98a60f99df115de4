import { beforeEach, expect, test, vi } from "vitest";
import { keepAnswer, keptAnswer, type Place, placeOf } from "#api/replies/kept-answers.ts";
import type { RequestContext } from "#api/request-state.ts";
import { beginWrite } from "#core/database/changes.ts";

const ANSWER = { text: "{}", tag: '"1"' };
const OPERATION = { isKept: true } as const;
let now = 0;
let database = "";

beforeEach(() => {
  now += 1_000_000;
  database = `http://${now}.db/`;
  vi.spyOn(performance, "now").mockImplementation(() => now);
});

function place(
  path = "/v1/storefront/a/products",
  variables: Record<string, string> = {},
): Place | undefined {
  const key = { company: { address: { url: database, token: "" }, currency: "INR" } };
  const c = { get: () => ({ key }), env: variables, req: { url: `https://api.example.com${path}` } };
  return placeOf(c as unknown as RequestContext, OPERATION);
}

function taken(path?: string): Place {
  const found = place(path);
  if (found === undefined) throw new Error("The answer has no place");
  return found;
}

test("an answer is kept for a second, for the same request to the same database", () => {
  keepAnswer(taken(), ANSWER);
  expect(keptAnswer(taken())).toMatchObject(ANSWER);
  expect(keptAnswer(taken("/v1/storefront/a/products?q=cup"))).toBeUndefined();
  database = `${database}other`;
  expect(keptAnswer(taken())).toBeUndefined();
});

test("its age counts from when it was read, not from when it was kept", () => {
  const read = taken();
  now += 700;
  keepAnswer(read, ANSWER);
  now += 299;
  expect(keptAnswer(taken())).toMatchObject(ANSWER);
  now += 1;
  expect(keptAnswer(taken())).toBeUndefined();
});

test("nothing from before a write of the isolate is answered after it, nor what was read beside it", () => {
  keepAnswer(taken(), ANSWER);
  const before = taken();
  const end = beginWrite(database);
  expect(place()).toBeUndefined();
  keepAnswer(before, ANSWER);
  end();
  keepAnswer(before, ANSWER);
  expect(keptAnswer(taken())).toBeUndefined();
  keepAnswer(taken(), ANSWER);
  expect(keptAnswer(taken())).toMatchObject(ANSWER);
});

test("nothing is kept for a minute after a write whose end is not known", () => {
  beginWrite(database);
  now += 59_000;
  expect(place()).toBeUndefined();
  now += 2_000;
  keepAnswer(taken(), ANSWER);
  expect(keptAnswer(taken())).toMatchObject(ANSWER);
});

test("what is kept has a bound, and the oldest goes first", () => {
  const long = { text: "x".repeat(390_000), tag: '"1"' };
  const paths = Array.from({ length: 12 }, (_, index) => `/v1/storefront/a/products/${index}`);
  for (const path of paths) keepAnswer(taken(path), long);
  const found = paths.filter((path) => keptAnswer(taken(path)) !== undefined);
  expect(found).toEqual(paths.slice(-10));
  keepAnswer(taken(), { text: "x".repeat(400_001), tag: '"1"' });
  expect(keptAnswer(taken())).toBeUndefined();
});

test("KEPT_ANSWERS off keeps nothing", () => {
  expect(place(undefined, { KEPT_ANSWERS: "off" })).toBeUndefined();
});

import { expect, test } from "vitest";
import { isProblemCode } from "#shared/problem.ts";
import { NOTICES } from "#shared/settings.ts";
import { NOTIFICATION_CAUSES, STRANGER_DOORS } from "#shared/strangers.ts";
import { RULE_NAMES } from "../../../src/features/notifications/rules.ts";
import { operations } from "../../../src/wiring/operations.ts";
import { mountedRoutes } from "./mounted-routes.ts";

// What a website's own server passes on with a secret key: forms of people whom it does not know.
const FORMS = ["captureLead", "applyForJob", "checkout"];
const doors = Object.entries(STRANGER_DOORS);

test("the list of strangers says who causes each notification", () => {
  expect(Object.keys(NOTIFICATION_CAUSES).toSorted()).toEqual([...RULE_NAMES, ...NOTICES].toSorted());
});

test("the list of strangers has each door of publishable keys, pages, callbacks and forms, and no other", async () => {
  const keyed = new Set(operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`));
  const keyless = (await mountedRoutes())
    .map((route) => route.split(" "))
    .map(([method = "", path = ""]) => `${method} ${path.replace(/^(\/api)?\/v1(?=\/)/, "")}`)
    .filter((route) => !keyed.has(route) && !/^OPTIONS | \/platform\//.test(route))
    .filter((route) => !route.startsWith("GET ") || route.includes("/webhooks/sms/"));
  const open = operations
    .filter(({ keys, method }) => keys === "any" && method !== "get")
    .map(({ id }) => id);
  const found = new Set([...keyless, ...open, ...FORMS]);
  expect(doors.map(([door]) => door).toSorted()).toEqual([...found].toSorted());
});

test("each door sends what strangers cause, and answers the code that bounds it", () => {
  const sent = new Set(doors.flatMap(([, { sends }]) => sends));
  const caused = Object.keys(NOTIFICATION_CAUSES).filter((rule) => NOTIFICATION_CAUSES[rule] !== "company");
  expect([...sent].toSorted()).toEqual(caused.filter((rule) => !rule.includes("_reminder_")).toSorted());
  for (const [door, { bound }] of doors) {
    const operation = operations.find(({ id }) => id === door);
    if (operation !== undefined && isProblemCode(bound)) expect(operation.problems, door).toContain(bound);
  }
});

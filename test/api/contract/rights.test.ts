import { expect, test } from "vitest";
import { type Operation, scopesOf } from "#api/operations/operation.ts";
import { SCOPES } from "#api/operations/scopes.ts";
import { examples } from "#test/examples.ts";
import { operations } from "../../../src/wiring/operations.ts";
import { type Key, openBusy } from "../../support/company.ts";
import type { Answer } from "../../support/http.ts";
import { built, keepRecords, pathOf, prepare, wireBody } from "../../support/operations.ts";
import { expectCommonHeaders, expectLimitHeaders } from "./headers.ts";

// OWASP API1 and API5, over every operation: one failure names all that does not hold.
const company = await openBusy();

// With the example's body: what a call asks for beside its own scope is tried in test/features/company.
const ASK_FOR_MORE = [
  "createCalendarFeed: settings:write",
  "createErasure: settings:write",
  "createEventEndpoint: settings:write",
  "createInstructor: settings:write",
  "createKey: keys:write",
  "createMessagingProvider: settings:write",
  "createPaymentGateway: settings:write",
  "createStaffBooking: diary:write",
  "createStaffBooking: settings:write",
  "deleteMessagingProvider: settings:write",
  "deleteNotificationTemplate: settings:write",
  "deletePaymentGateway: settings:write",
  "invoiceBooking: diary:write",
  "invoiceBooking: settings:write",
  "putNotificationTemplate: settings:write",
  "rotateCalendarFeed: settings:write",
  "rotateMessagingProvider: settings:write",
  "setBookingCustomer: diary:write",
  "setBookingCustomer: settings:write",
  "testNotificationTemplate: settings:write",
  "updateMessagingSettings: settings:write",
  "updateNotificationSettings: settings:write",
  "updatePaymentGateway: settings:write",
  "updateProfile: settings:write",
  "updateRefundSettings: settings:write",
];

const methodOf = ({ method }: Operation) => method.toUpperCase();
const said = ({ id }: Operation, { status, body }: Answer) =>
  `${id}: ${status} ${String((body as { code?: string }).code)}`;

const made = new Map<string, Promise<Key>>();
/** A key for each list of scopes, made once. */
function keyOf(scopes: readonly string[]): Promise<Key> {
  const name = scopes.join(" ");
  const key = made.get(name) ?? company.makeKey({ scopes, rate_limit_per_minute: 100_000 });
  made.set(name, key);
  return key;
}

test("every operation refuses a key that holds every scope but those that open it", async () => {
  const findings: string[] = [];
  for (const operation of operations) {
    const opens: string[] = scopesOf(operation);
    const key = await keyOf(SCOPES.filter((scope) => !opens.includes(scope)));
    const answer = await company.call(methodOf(operation), pathOf(operation), { key });
    expectCommonHeaders(answer);
    expectLimitHeaders(answer, 100_000);
    const { code, required_scope: required } = answer.body as Record<string, unknown>;
    if (answer.status !== 403 || code !== "insufficient_scope" || required !== opens[0])
      findings.push(said(operation, answer));
  }
  expect(findings).toEqual([]);
});

test("every operation is opened by each of its scopes alone, but for those that give what the key itself lacks", async () => {
  const findings: string[] = [];
  for (const operation of operations)
    for (const scope of scopesOf(operation)) {
      const answer = await company.call(methodOf(operation), pathOf(operation), {
        key: await keyOf([scope]),
        body:
          operation.body === undefined
            ? undefined
            : wireBody(operation, examples.operations.get(operation.id)?.body),
      });
      if (answer.status === 403) findings.push(`${operation.id}: ${scope}`);
    }
  expect(findings.sort()).toEqual(ASK_FOR_MORE);
});

// It makes the records of every operation first.
test("every operation with an id finds no record of another company by it", async () => {
  // Has no records, so that what it finds by an id is the other's.
  const company = await openBusy();
  // None of the calls works, so that all can be about the same records.
  const stranger = keepRecords(await openBusy());
  const findings: string[] = [];
  let tried = 0;
  // What a caller's own id names is made where it is not there.
  const isMade = ({ path }: (typeof built)[number]) => path.endsWith("/:company/external/:external_id");
  for (const operation of built.filter((one) => one.params !== undefined && !isMade(one))) {
    const { method, path, body } = await prepare(stranger, operation);
    if (path.split("?")[0] === pathOf(operation)) continue;
    tried += 1;
    const answer = await company.call(method, path, { body });
    if (answer.status !== 404) findings.push(said(operation, answer));
  }
  expect(findings).toEqual([]);
  expect(tried).toBeGreaterThan(100);
});

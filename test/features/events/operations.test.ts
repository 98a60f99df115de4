import { expect, test } from "vitest";
import { allResources } from "../../../src/wiring/resources.ts";
import { writes } from "../../support/operations.ts";
import { EVENTS_OF } from "./events-of-operations.ts";

const RESOURCES = await allResources();

const companyWrites = writes.filter(({ database }) => database === "company");

test("a write that may leave events declares of which records, and each resource has an operation or job", () => {
  const told = new Set(companyWrites.flatMap(({ changes }) => [...changes]));
  const alone = RESOURCES.map(({ name }) => name).filter((name) => !told.has(name));
  // The dispatch of messages leaves the events of providers, and callbacks those of inbound messages.
  expect(alone).toEqual(["inbound_message", "provider"]);
  // The example's employee has no work items, no event has a booking's customer, no message to its contacts failed, the
  // example's captures are of no order, and its credit is of no lesson. The end
  // of a review is no event.
  const silent = companyWrites.filter(({ id, changes }) => changes.length > 0 && EVENTS_OF[id] === undefined);
  expect(silent.map(({ id }) => id).sort()).toEqual([
    "deleteEmployee",
    "dismissRefundReview",
    "payOutCreditNote",
    "reopenCapture",
    "reverseCreditApplication",
    "reverseCreditNotePayout",
    "sendChatapp",
    "sendEmail",
    "sendSms",
    "setBookingCustomer",
    "settleCapture",
  ]);
});

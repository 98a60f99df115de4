import { expect, test } from "vitest";
import { RESOURCES } from "../../../src/mount/resources.ts";
import { writes } from "../../support/operations.ts";
import { TOLD } from "./told-by-operations.ts";

const companyWrites = writes.filter(({ database }) => database === "company");

test("a write that may leave events says of which records, and a resource is told of by some operation or job", () => {
  const told = new Set(companyWrites.flatMap(({ changes }) => changes.map(({ name }) => name)));
  const alone = RESOURCES.map(({ name }) => name).filter((name) => !told.has(name));
  // Of providers tell what dispatches messages, and of what people write the callbacks.
  expect(alone).toEqual(["inbound_message", "provider"]);
  // The employee of the example has no work items, and whom the examples write to was never written to in vain.
  const silent = companyWrites.filter(({ id, changes }) => changes.length > 0 && TOLD[id] === undefined);
  expect(silent.map(({ id }) => id).sort()).toEqual([
    "deleteEmployee",
    "sendChatapp",
    "sendEmail",
    "sendSms",
  ]);
});

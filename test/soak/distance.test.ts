import { describe, expect, test } from "vitest";
import type { Operation } from "#api/operations/operation.ts";
import { openCompany } from "../support/company.ts";
import { callFrom, type Measured, warm } from "../support/distance.ts";
import { built } from "../support/operations.ts";
import { ownService } from "../support/own-service.ts";
import { COLD, FIRST_SEND, sends, turnsOf } from "../support/round-trips.ts";
import { SharedCompanies } from "../support/shared-companies.ts";

// Far enough that what goes out together is under way together. A machine that stalls for longer makes a call look as
// if it waited once more; one that truly waits does so each time.
const DISTANCE_MS = 25;
const ATTEMPTS = 3;
const ISOLATES = ["listCustomers", "getInvoice", "createInvoice", "checkout", "createBooking"];

// No consumer takes up what is queued: its requests would be counted.
const own = await ownService(["CONSUMERS"], { distant: true });
const service = own.address;

const companies = new SharedCompanies(() => openCompany({}, service));

/** The call that waited for the fewest turns, of one or as many as it takes to be within `most`. */
async function fewestTurns(operation: Operation, most: number, cold: boolean): Promise<Measured> {
  const tries: Measured[] = [];
  while (tries.length < ATTEMPTS && tries.every(({ trip }) => trip.turns > most)) {
    const isFirst = tries.length === 0 && !cold;
    const { company, call } = await (isFirst
      ? companies.readyFor(operation)
      : companies.openAlone(operation));
    if (!cold) await warm(company, sends(operation));
    tries.push(await callFrom(service, DISTANCE_MS, company, call, cold));
  }
  const fewest = Math.min(...tries.map(({ trip }) => trip.turns));
  return tries.find(({ trip }) => trip.turns === fewest) as Measured;
}

function expectTurns(operation: Operation, { answer, trip }: Measured, most: number): void {
  expect(answer.status, answer.text).toBe(operation.status);
  expect(trip.turns, JSON.stringify(trip.hops)).toBeLessThanOrEqual(most);
  // A read asks each time for all that it needs.
  if (operation.method === "get") expect(trip.turns).toBe(most);
}

describe.each(built)("$id", (operation) => {
  const turns = turnsOf(operation);
  test(`waits for ${turns} requests one after the other`, async () => {
    expectTurns(operation, await fewestTurns(operation, turns, false), turns);
  });
});

// A key is looked up before any operation begins, so the first of each kind stands for the others.
const kindOf = (operation: Operation) =>
  [operation.method === "get", operation.database, turnsOf(operation), sends(operation)].join();
const EACH_KIND = [
  ...new Map(built.toReversed().map((operation) => [kindOf(operation), operation])).values(),
];

test.each(EACH_KIND)(
  "$id waits for the control database first where the isolate does not know the key",
  async (operation) => {
    const most = turnsOf(operation) + COLD + (sends(operation) ? FIRST_SEND : 0);
    const measured = await fewestTurns(operation, most, true);
    expectTurns(operation, measured, most);
    expect(measured.trip.hops.filter(({ turn }) => turn === 1)).toEqual([
      { kind: "database", name: "control", turn: 1 },
    ]);
  },
);

test.each(built.filter(({ id }) => ISOLATES.includes(id)))(
  "$id waits for one request more in an isolate that has served nothing",
  async (operation) => {
    const { company, call } = await companies.openAlone(operation);
    await own.restart({});
    const most = turnsOf(operation) + COLD;
    // The administrator's key, which this isolate has not seen.
    expectTurns(operation, await callFrom(service, DISTANCE_MS, company, call, false), most);
  },
);

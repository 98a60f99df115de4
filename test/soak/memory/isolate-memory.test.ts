import { afterAll, describe, expect, test } from "vitest";
import type { Operation } from "#api/operations/operation.ts";
import { openBusy, openCompany, type TestCompany } from "../../support/company.ts";
import { openHeap } from "../../support/heap.ts";
import { send } from "../../support/http.ts";
import { built, keepRecords, type Prepared, prepare } from "../../support/operations.ts";
import { ownService } from "../../support/own-service.ts";
import { SharedCompanies } from "../../support/shared-companies.ts";
import { canBeLarge, fill, isOfFilled, widest } from "./widest.ts";

/** Of the 128 that the platform gives an isolate. */
const MOST_MEGABYTES = 100;
/** What an isolate must hold side by side, of the reads that hold most; 200 of the widest instructors alone are 49 MB. */
const AT_ONCE = 2;
const LARGEST_READS = new Set(["listInvoices", "listWorkItems", "listJobs", "trialBalance"]);
// What the calls before may leave behind: to collect it before each would take long.
const COLLECTED_MEGABYTES = 16;
// TELL_MEMORY=10 prints so many of the largest.
const TOLD = Number(process.env.TELL_MEMORY ?? 0);

const peaks: { name: string; megabytes: number }[] = [];

const service = await ownService(["COMPANY_CLOCK", "CONSUMERS"], {
  inspected: true,
});
const heap = await openHeap(await service.inspector());
const filled = keepRecords(await openBusy({}, service.address));
const paths = await fill(filled);

afterAll(() => {
  const largest = peaks.toSorted((one, other) => other.megabytes - one.megabytes).slice(0, TOLD);
  for (const { name, megabytes } of largest) console.log(`${megabytes.toFixed(0)} MB ${name}`);
  heap.close();
});

const companies = new SharedCompanies(() => openCompany({}, service.address));

/** The most that the isolate holds while the operation is called at its largest, so many times at once. */
async function peakOf(operation: Operation, times: number): Promise<number> {
  const ready = isOfFilled(operation)
    ? { company: filled, call: await prepare(filled, operation) }
    : await companies.readyFor(operation);
  const { company } = ready;
  const call = widest(operation, ready.call, paths);
  if ((await heap.megabytes()) > COLLECTED_MEGABYTES)
    await heap.collect(() => send("GET", "/health", { service: service.address }));
  const megabytes = await heap.peakDuring(async () => {
    const answers = await Promise.all(Array.from({ length: times }, () => answerTo(company, call)));
    for (const { status, told } of answers) expect(status, told).toBe(operation.status);
  });
  peaks.push({ name: `${operation.id}, ${times} at once`, megabytes });
  return megabytes;
}

async function answerTo(company: TestCompany, { method, path, body }: Prepared) {
  const { status, text } = await company.call(method, path, { body });
  return { status, told: text.slice(0, 300) };
}

describe.each(built.filter(canBeLarge))("$id", (operation) => {
  test("takes less than 100 MB of its isolate where it is called at its largest", async () => {
    expect(await peakOf(operation, 1)).toBeLessThan(MOST_MEGABYTES);
  });
});

describe.each(built.filter(({ id }) => LARGEST_READS.has(id)))("$id", (operation) => {
  test("takes less than 100 MB where two are under way", async () => {
    expect(await peakOf(operation, AT_ONCE)).toBeLessThan(MOST_MEGABYTES);
  });
});

import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, inject, test, vi } from "vitest";
import { must, openBusy, openCompany } from "../../support/company.ts";
import { pdf } from "../../support/documents.ts";
import { expectSound, rowCounts } from "../../support/oracles.ts";
import { addressOf, type Service, startService } from "../../support/service.ts";
import { apply, newJob } from "../hiring.ts";
import { times } from "../money.ts";
import { refusal } from "../refusal.ts";

/** A hiring company, and how many files and applications it has when all that goes on after replies is done. */
async function hiring() {
  const company = await openBusy();
  const { id, slug } = await newJob(company);
  const kept = async () => {
    const written = Number((await rowCounts(company)).applications);
    await vi.waitUntil(async () => (await company.files("resumes")).length === written, { timeout: 15_000 });
    return written;
  };
  return { company, id, slug, kept };
}

test("of 20 applications of one address at once, in any case, one is received; 19 get its number and time", async () => {
  const { company, slug, kept } = await hiring();
  const written = ["asha@a.example", "ASHA@a.Example", " asha@a.example "];
  const answers = await times(20, (n) => apply(company, slug, { email: written[n % written.length] ?? "" }));
  const [first, ...rest] = answers.sort((one, other) => one.status - other.status);
  expect(first?.status).toBe(201);
  expect(rest).toHaveLength(19);
  const { application_number, applied_at } = first?.body.data ?? {};
  for (const answer of rest)
    expect(answer).toMatchObject(refusal(409, "duplicate_application", { application_number, applied_at }));
  expect(await kept()).toBe(1);
  await expectSound(company);
});

test("20 applicants at once get 20 numbers without a gap", async () => {
  const { company, slug, kept } = await hiring();
  const answers = await times(20, (n) => apply(company, slug, { email: `a${n}@mail.example` }));
  const numbers = answers.map((answer) => must(answer, 201).body.data.application_number.slice(-5)).sort();
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, n) => String(n + 1).padStart(5, "0")));
  expect(await kept()).toBe(20);
});

test("an application that races the closing of its job is received before it, or is 404", async () => {
  const { company, id, slug, kept } = await hiring();
  const close = company.call("PATCH", `/settings/:company/jobs/${id}`, { body: { status: "closed" } });
  const answers = await times(10, (n) => apply(company, slug, { email: `a${n}@mail.example` }));
  must(await close, 200);
  const received = answers.filter(({ status }) => status === 201);
  expect(answers.every(({ status }) => status === 201 || status === 404)).toBe(true);
  expect(await kept()).toBe(received.length);
});

// Most of their time goes by in the pauses between attempts.
describe.concurrent("a database that fails", () => {
  test.each(["reset_before", "reset_after", "truncate"] as const)(
    "once by %s: the application is received, with its resume",
    async (kind) => {
      const { company, slug, kept } = await hiring();
      await company.faults({ kind, times: 1, writes_only: true });
      must(await apply(company, slug), 201);
      expect(await kept()).toBe(1);
      await expectSound(company);
    },
  );

  test.each(["reset_before", "reset_after"] as const)(
    "every time by %s: the outcome is unknown, and no resume is without its application for long",
    async (kind) => {
      const { company, slug } = await hiring();
      const headers = { "Idempotency-Key": randomUUID() };
      await company.faults({ kind, writes_only: true });
      expect((await apply(company, slug, {}, { headers })).body.code).toBe("outcome_unknown");
      await company.faults();
      must(await apply(company, slug, {}, { headers }), 201);
      await company.clock(2 * 3_600);
      await company.sweep(async () => (await company.files("resumes")).length === 1);
      expect((await rowCounts(company)).applications).toBe(1);
    },
  );

  test("for certain: nothing is received and no resume stays", async () => {
    const { company, slug, kept } = await hiring();
    await company.faults({ kind: "error", code: "SQLITE_FULL", writes_only: true });
    expect((await apply(company, slug)).status).toBeOneOf([500, 503]);
    await company.faults({ kind: "error", code: "SQLITE_BUSY", writes_only: true });
    expect((await apply(company, slug)).body.code).toBe("unavailable");
    await company.faults();
    expect(await kept()).toBe(0);
  });
});

test("ten resumes of 10 MB at once are each received, or refused for want of room; none fails", async () => {
  const { company, slug, kept } = await hiring();
  const resume = pdf(10 * 1024 * 1024);
  const answers = await times(10, (n) => apply(company, slug, { email: `a${n}@mail.example` }, { resume }));
  const received = answers.filter(({ status }) => status === 201).length;
  const refused = answers.filter(({ status }) => status === 429);
  expect(received + refused.length).toBe(10);
  for (const { headers } of refused) expect(Number(headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
  expect(received).toBeGreaterThanOrEqual(3);
  expect(await kept()).toBe(received);
});

test("uploads that their clients give up, halfway or while they wait, do not keep the others out", async () => {
  const { company, slug, kept } = await hiring();
  const path = `/recruitment/:company/jobs/${slug}/apply`;
  const headers = { "Content-Type": "multipart/form-data; boundary=b" };
  const halfway = () =>
    new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from("--b\r\nContent-Disposition: form-data")),
    });
  const givenUp = (call: (signal: AbortSignal) => Promise<unknown>) =>
    times(3, () => call(AbortSignal.timeout(300)).catch(() => undefined));
  await givenUp((signal) => company.call("POST", path, { body: halfway(), headers, signal }));
  await company.faults({ kind: "delay", delay_ms: 1_000 });
  await givenUp((signal) => apply(company, slug, {}, { signal }));
  await company.faults();
  must(await apply(company, slug, { email: "patient@mail.example" }), 201);
  expect(await kept()).toBeGreaterThanOrEqual(1);
});

describe("without a place for files", () => {
  let service: Service | undefined;
  afterAll(() => service?.stop());

  test("an application is 500, and nothing of it is written", async () => {
    service = await startService(inject("service").bundle, ["FILES"]);
    const company = await openCompany({}, addressOf(service));
    const { slug } = await newJob(company);
    const before = await rowCounts(company);
    expect(await apply(company, slug, {}, { service: addressOf(service) })).toMatchObject(
      refusal(500, "internal_error"),
    );
    const lead = { name: "Rohan", email: "r@mail.example" };
    const form = new FormData();
    for (const [name, value] of Object.entries(lead)) form.append(name, value);
    form.append("attachment", new Blob([pdf()]), "a.pdf");
    expect((await company.call("POST", "/leads/:company/capture", { body: form })).status).toBe(500);
    expect(await rowCounts(company)).toEqual(before);
    must(await company.call("POST", "/leads/:company/capture", { body: lead }), 200);
  });
});

import { type ClientRequest, request } from "node:http";
import { describe, expect, test } from "vitest";
import { credentials, must, openCompany, type TestCompany } from "../support/company.ts";
import { pdf } from "../support/documents.ts";
import { openHeap } from "../support/heap.ts";
import { repeatWhile } from "../support/http.ts";
import { ownService } from "../support/own-service.ts";

const MEGABYTE = 1_000_000;
const DRIP_MS = 500;

// A service of its own: what its isolate holds for forms, other tests must not want.
const service = await ownService([], { inspected: true });

type Applied = { status: number; code: string };
type Hiring = { company: TestCompany; path: string };

async function hiring(): Promise<Hiring> {
  const company = await openCompany({}, service.address);
  const body = { title: "Welder", description_html: "<p>Join plates.</p>" };
  must(await company.call("POST", "/settings/:company/jobs", { body }), 201);
  return { company, path: `/v1/recruitment/${company.slug}/jobs/welder/apply` };
}

function applyAt({ company, path }: Hiring, email: string, resume: Buffer | Uint8Array) {
  const form = new FormData();
  form.append("first_name", "Asha");
  form.append("email", email);
  form.append("resume", new Blob([Uint8Array.from(resume)]), "resume.pdf");
  return company.call("POST", path, { base: "", body: form });
}

/** Applies again as long as no room comes for the body, as its 429 asks: a slow machine takes longer than 15 s. */
function applyUntilRoom(of: Hiring, email: string, resume: Buffer | Uint8Array) {
  return repeatWhile(
    () => applyAt(of, email, resume),
    ({ status }) => status === 429,
  );
}

/** Sends the head of a form, and where `drips` a byte now and then; gives how it is answered, and when. */
function dribble({ company, path }: Hiring, drips: boolean) {
  const { hostname, port } = new URL(service.url);
  const headers = {
    ...credentials(company.admin),
    "CF-Connecting-IP": company.address,
    "Content-Type": "multipart/form-data; boundary=b",
    "Transfer-Encoding": "chunked",
  };
  const begun = Date.now();
  const outgoing: ClientRequest = request({ hostname, port, path, method: "POST", headers });
  const timer = drips ? setInterval(() => outgoing.write("x"), DRIP_MS) : undefined;
  const answer = new Promise<Applied & { after: number }>((resolve) => {
    outgoing.on("response", async (incoming) => {
      let text = "";
      for await (const chunk of incoming) text += String(chunk);
      const { code } = JSON.parse(text);
      resolve({ status: incoming.statusCode ?? 0, code, after: Date.now() - begun });
    });
    outgoing.on("error", () => resolve({ status: 0, code: "closed", after: Date.now() - begun }));
  });
  outgoing.write('--b\r\nContent-Disposition: form-data; name="first_name"\r\n\r\n');
  const stop = () => {
    clearInterval(timer);
    outgoing.destroy();
  };
  return { answer, stop };
}

describe("slow uploads", { timeout: 60_000 }, () => {
  test("of three companies do not keep a fourth from being answered within 15 seconds", async () => {
    const drippers = await Promise.all([hiring(), hiring(), hiring()]);
    const fourth = await hiring();
    const drips = drippers.flatMap((of) => [dribble(of, true), dribble(of, true), dribble(of, true)]);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const begun = Date.now();
    const answer = await applyAt(fourth, "meera@mail.example", pdf(10 * 1024 * 1024));
    const after = Date.now() - begun;
    for (const { stop } of drips) stop();
    expect(must(answer, 201).status).toBe(201);
    expect(after).toBeLessThan(15_000);
  });

  test("of which no byte comes for 10 seconds are 408", async () => {
    const silent = dribble(await hiring(), false);
    const { status, code, after } = await silent.answer;
    silent.stop();
    expect({ status, code }).toEqual({ status: 408, code: "request_timeout" });
    expect(after).toBeGreaterThanOrEqual(9_500);
    expect(after).toBeLessThan(14_000);
  });
});

test("twelve bodies of 10 MB at once are all received, in less than 100 MB of the isolate", async () => {
  const heap = await openHeap(await service.inspector());
  let peak = 0;
  const look = async () => {
    peak = Math.max(peak, await heap.megabytes());
  };
  const companies = await Promise.all([hiring(), hiring(), hiring()]);
  const resume = pdf(10 * 1024 * 1024);
  const watch = setInterval(() => void look(), 10);
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => {
      const of = companies[n % companies.length];
      return of === undefined ? undefined : applyUntilRoom(of, `a${n}@mail.example`, resume);
    }),
  );
  clearInterval(watch);
  await look();
  heap.close();
  expect(answers.map((answer) => answer?.status)).toEqual(Array(12).fill(201));
  expect(peak * MEGABYTE).toBeGreaterThan(resume.length);
  expect(peak).toBeLessThan(100);
}, 60_000);

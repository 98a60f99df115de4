import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { pdf } from "../../support/documents.ts";
import { rowCounts } from "../../support/oracles.ts";
import { setClock } from "../commerce.ts";
import { APPLICATIONS, applied, apply, newJob } from "../hiring.ts";
import { refusal } from "../refusal.ts";

const own = await openCompany();

describe("a second application", () => {
  test("of an address is received for another job", async () => {
    for (const title of ["Welder", "Turner"]) {
      const { slug } = await newJob(own, { title });
      must(await apply(own, slug, { email: "asha@mail.example" }), 201);
    }
  });

  test("is refused after the first was rejected or withdrawn as well", async () => {
    const { slug } = await newJob(own);
    const { id } = must(await apply(own, slug), 201).body.data;
    for (const status of ["rejected", "withdrawn"]) {
      must(await own.call("PATCH", `${APPLICATIONS}/${id}`, { body: { status } }), 200);
      expect((await apply(own, slug)).status).toBe(409);
    }
  });

  test("with the first one's Idempotency-Key is the first one again, its boundary drawn anew", async () => {
    const { slug } = await newJob(own);
    const headers = { "Idempotency-Key": randomUUID() };
    const before = (await own.files("resumes")).length;
    const first = must(await apply(own, slug, {}, { headers }), 201);
    const again = must(await apply(own, slug, {}, { headers }), 201);
    expect(again.text).toBe(first.text);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    const reused = await apply(own, slug, {}, { headers, resume: pdf(2_000) });
    expect(reused).toMatchObject(refusal(422, "idempotency_key_reused"));
    expect(await own.files("resumes")).toHaveLength(before + 1);
  });
});

describe("a machine's application", () => {
  test("that fills in the hidden field is answered like any other, and nothing of it is stored", async () => {
    const { slug } = await newJob(own);
    const [before, files] = [await rowCounts(own), await own.files("resumes")];
    const answer = must(await apply(own, slug, { _hp: "http://spam.example" }), 201);
    expect(answer.body.data).toMatchObject({
      application_number: expect.stringMatching(/^APP-\d{4}-\d{5}$/),
    });
    expect(await rowCounts(own)).toEqual(before);
    expect(await own.files("resumes")).toEqual(files);
  });

  test("is flagged, not refused, once one visitor has sent ten within an hour", async () => {
    const own = await openCompany({ timezone: "Asia/Kolkata" });
    // A visitor is known for a day.
    await setClock(own, "2026-12-04T12:00:00+05:30");
    const { slug } = await newJob(own);
    const headers = { "X-Forwarded-For": "203.0.113.7, 10.1.1.1" };
    const send = (n: number) => apply(own, slug, { email: `a${n}@mail.example` }, { headers });
    for (let n = 0; n < 11; n += 1) must(await send(n), 201);
    await applied(own, slug);
    const { data } = (await own.call<{ is_flagged: boolean }[]>("GET", APPLICATIONS)).body;
    expect(data.map(({ is_flagged }) => is_flagged)).toEqual([false, true, ...Array(10).fill(false)]);
    const stored = await own.rows("SELECT DISTINCT visitor FROM applications");
    expect(JSON.stringify(stored)).not.toContain("203.0.113.7");
  });
});

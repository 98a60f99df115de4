import { describe, expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import type { Answer } from "../../support/http.ts";
import { apply, FULL_JOB, JOBS, type Job, newJob, refusals } from "../hiring.ts";
import { refusal } from "../refusal.ts";

const company = await openCompany();

describe("settings of jobs", () => {
  const patch = (id: number, body: object): Promise<Answer<Job>> =>
    company.call("PATCH", `${JOBS}/${id}`, { body });

  test("name a job by its title, and by its title and id where another has that name", async () => {
    const own = await openCompany();
    const first = await newJob(own, { title: "Éclair  Chef (Night)" });
    const second = await newJob(own, { title: "Eclair chef night" });
    const third = await newJob(own, { title: "आचार्य" });
    expect([first.slug, second.slug, third.slug]).toEqual([
      "eclair-chef-night",
      `eclair-chef-night-${second.id}`,
      "job",
    ]);
    const body = { title: "x", description_html: "x", slug: "job" };
    expect(await own.call("POST", JOBS, { body })).toMatchObject(refusal(409, "conflict"));
  });

  test("change only what is sent", async () => {
    const job = await newJob(company, FULL_JOB);
    const changed = must(await patch(job.id, { title: "Operator", location: null }), 200).body.data;
    expect(changed).toEqual({ ...job, title: "Operator", location: null, updated_at: expect.any(String) });
    const again = must(await patch(job.id, { salary: null, closes_at: null, requirements_html: null }), 200);
    expect(again.body.data).toMatchObject({ salary: null, closes_at: null, requirements_html: null });
  });

  test("refuse a maximum below its minimum, sent together or against what is stored", async () => {
    const { id } = await newJob(company, FULL_JOB);
    expect(refusals(await patch(id, { experience_max: 0 }))).toEqual(["experience_max too_small"]);
    expect(refusals(await patch(id, { salary: { min: 2, max: 1 } }))).toEqual(["salary.max too_small"]);
    const body = { title: "x", description_html: "x", experience_min: 3, experience_max: 2 };
    expect(refusals(await company.call("POST", JOBS, { body }))).toEqual(["experience_max too_small"]);
  });

  test("refuse a description of which nothing stays, and a department that is not there", async () => {
    const post = (fields: object) =>
      company.call("POST", JOBS, { body: { title: "x", description_html: "x", ...fields } });
    expect(refusals(await post({ description_html: "<script>x</script>" }))).toEqual([
      "description_html html_empty",
    ]);
    expect(refusals(await post({ department_id: 999 }))).toEqual(["department_id not_found"]);
    expect(refusals(await post({ posted_at: "yesterday" }))).toEqual(["posted_at invalid_format"]);
    expect(refusals(await post({ closes_at: "2026-02-30" }))).toEqual(["closes_at invalid_date"]);
  });

  test("remove a job without applications, and no other", async () => {
    const free = await newJob(company);
    expect((await company.call("DELETE", `${JOBS}/${free.id}`)).body.data).toEqual({
      id: free.id,
      deleted: true,
    });
    expect((await company.call("GET", `${JOBS}/${free.id}`)).status).toBe(404);
    const wanted = await newJob(company);
    must(await apply(company, wanted.slug), 201);
    expect(await company.call("DELETE", `${JOBS}/${wanted.id}`)).toMatchObject(refusal(409, "in_use"));
  });
});

import { beforeAll, describe, expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import type { Answer } from "../../support/http.ts";
import { expectSound } from "../../support/oracles.ts";
import { setClock } from "../commerce.ts";
import { apply, JOBS, type Job, newJob, refusals } from "../hiring.ts";

const SITE = "/recruitment/:company/jobs";
const FULL = {
  title: "Press operator",
  employment_type: "part_time",
  workplace_type: "on_site",
  location: { city: "Pune", state: "Maharashtra", country: "IN", postal_code: "411030" },
  description_html:
    '<p onclick="x()">Run <b>presses</b>.</p><script>alert(1)</script><p style="color:red">Safely.</p>',
  requirements_html: "<ul><li>ITI</li></ul>",
  skills: ["hydraulics", "PLC"],
  experience_min: 1,
  experience_max: 4,
  openings: 3,
  salary: { min: 20_000, max: 28_500.5, interval: "month" },
  closes_at: "2999-12-31",
};

let company: TestCompany;
beforeAll(async () => {
  company = await openCompany();
});

async function shown(own: TestCompany, query = ""): Promise<Job[]> {
  return must(await own.call<Job[]>("GET", SITE + query), 200).body.data;
}
const titles = async (own: TestCompany, query = "") => (await shown(own, query)).map(({ title }) => title);
const read = (own: TestCompany, slug: string) => own.call<Job>("GET", `${SITE}/${slug}`);
const department = async (own: TestCompany, name: string, fields = {}) =>
  must(
    await own.call<{ id: number }>("POST", "/settings/:company/departments", { body: { name, ...fields } }),
    201,
  ).body.data.id;

describe("a career site", () => {
  test("reads a job with all that is published of it, its HTML clean", async () => {
    const own = await openCompany();
    const department_id = await department(own, "Works");
    const { id, slug } = await newJob(own, { ...FULL, department_id });
    const job = must(await read(own, slug), 200).body.data;
    expect(job).toEqual({
      id,
      slug: "press-operator",
      title: FULL.title,
      department: { id: department_id, name: "Works" },
      employment_type: "part_time",
      workplace_type: "on_site",
      location: FULL.location,
      description_html: "<p>Run <b>presses</b>.</p><p>Safely.</p>",
      description_text: "Run presses.\nSafely.",
      requirements_html: FULL.requirements_html,
      skills: FULL.skills,
      experience_min: 1,
      experience_max: 4,
      openings: 3,
      salary: null,
      posted_at: expect.stringMatching(/Z$/),
      closes_at: "2999-12-31",
      updated_at: expect.stringMatching(/Z$/),
      apply_url: expect.stringMatching(new RegExp(`/v1/recruitment/${own.slug}/jobs/press-operator/apply$`)),
    });
    expect(await shown(own)).toEqual([job]);
    await expectSound(own);
  });

  test("learns a salary only where it is published", async () => {
    const own = await openCompany();
    const { id, slug, salary } = await newJob(own, FULL);
    expect(salary).toEqual({ min: 20_000, max: 28_500.5, currency: "INR", interval: "month" });
    expect((await own.call("GET", SITE)).text).not.toContain("28500.5");
    expect((await read(own, slug)).text).not.toContain("28500.5");
    must(await own.call("PATCH", `${JOBS}/${id}`, { body: { publish_salary: true } }), 200);
    expect((await read(own, slug)).body.data.salary).toEqual(salary);
  });

  test("sees open jobs alone: any other does not exist for it, to read or to apply", async () => {
    const own = await openCompany();
    const open = await newJob(own);
    const hidden = [
      await newJob(own, { status: "closed" }),
      await newJob(own, { is_published: false }),
      await newJob(own, { posted_at: "2999-01-01T00:00:00Z" }),
      await newJob(own, { closes_at: "2020-01-01" }),
    ];
    expect((await shown(own)).map(({ id }) => id)).toEqual([open.id]);
    for (const { slug } of hidden) {
      expect(await read(own, slug)).toMatchObject({ status: 404, body: { code: "not_found" } });
      expect(await apply(own, slug)).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
    expect(await own.files("resumes")).toEqual([]);
  });

  test.each([
    ["Asia/Kolkata", "2026-12-04T18:25:00Z", "2026-12-04T18:30:00Z"],
    ["America/New_York", "2026-12-05T04:55:00Z", "2026-12-05T05:00:00Z"],
    ["Pacific/Auckland", "2026-12-04T10:55:00Z", "2026-12-04T11:00:00Z"],
  ])(
    "loses a job that closes today at the end of the day in %s",
    async (timezone, shortlyBefore, midnight) => {
      const own = await openCompany({ timezone });
      await setClock(own, shortlyBefore);
      const { slug } = await newJob(own, { closes_at: "2026-12-04" });
      expect((await read(own, slug)).status).toBe(200);
      expect((await apply(own, slug)).status).toBe(201);
      await setClock(own, midnight);
      expect((await read(own, slug)).status).toBe(404);
      expect((await apply(own, slug, { email: "late@mail.example" })).status).toBe(404);
      expect(await shown(own)).toEqual([]);
    },
  );

  test("finds jobs by department, city, type, workplace and text", async () => {
    const own = await openCompany();
    const works = await department(own, "Works");
    await newJob(own, { title: "Turner", department_id: works, location: { city: "Pune" } });
    await newJob(own, {
      title: "Driver",
      workplace_type: "hybrid",
      description_html: "<p>100% on the road</p>",
    });
    await newJob(own, { title: "Intern", employment_type: "intern", location: { city: "pune" } });
    for (const [query, found] of [
      [`?department=${works}`, ["Turner"]],
      ["?location=PUNE", ["Intern", "Turner"]],
      ["?employment_type=intern", ["Intern"]],
      ["?workplace_type=hybrid", ["Driver"]],
      ["?q=TURN", ["Turner"]],
      ["?q=the+road", ["Driver"]],
      ["?q=100%25", ["Driver"]],
      ["?q=_", []],
      ["?location=pune&employment_type=full_time", ["Turner"]],
      ["?department=999", []],
    ] as const)
      expect(await titles(own, query), query).toEqual(found);
    for (const query of ["?employment_type=x", "?workplace_type=x", "?department=x", "?q="])
      expect((await own.call("GET", SITE + query)).status, query).toBe(422);
  });

  test("pages through jobs by when they were posted, the newest first, without loss or repetition", async () => {
    const own = await openCompany();
    const day = (n: number) => `2020-01-0${n}T09:00:00Z`;
    for (const n of [3, 1, 4, 2, 4]) await newJob(own, { title: `Day ${n}`, posted_at: day(n) });
    const seen: string[] = [];
    let cursor = "";
    do {
      const answer = must(await own.call<Job[]>("GET", `${SITE}?limit=2${cursor}`), 200);
      seen.push(...answer.body.data.map(({ title, slug }) => `${title} ${slug}`));
      cursor = answer.body.paging.next_cursor === null ? "" : `&cursor=${answer.body.paging.next_cursor}`;
    } while (cursor !== "");
    expect(seen.map((one) => one.slice(0, 5))).toEqual(["Day 4", "Day 4", "Day 3", "Day 2", "Day 1"]);
    expect(new Set(seen).size).toBe(5);
  });

  test("lists the active departments by name, each with its own open jobs", async () => {
    const own = await openCompany();
    const works = await department(own, "works");
    const assembly = await department(own, "Assembly", { parent_id: works });
    await department(own, "Closed down", { is_active: false });
    await newJob(own, { department_id: assembly });
    await newJob(own, { department_id: assembly, status: "closed" });
    expect(must(await own.call("GET", "/recruitment/:company/departments"), 200).body.data).toEqual([
      { id: assembly, name: "Assembly", parent_id: works, open_jobs_count: 1 },
      { id: works, name: "works", parent_id: null, open_jobs_count: 0 },
    ]);
  });
});

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
    expect(await own.call("POST", JOBS, { body })).toMatchObject({ status: 409, body: { code: "conflict" } });
  });

  test("change only what is sent", async () => {
    const job = await newJob(company, FULL);
    const changed = must(await patch(job.id, { title: "Operator", location: null }), 200).body.data;
    expect(changed).toEqual({ ...job, title: "Operator", location: null, updated_at: expect.any(String) });
    const again = must(await patch(job.id, { salary: null, closes_at: null, requirements_html: null }), 200);
    expect(again.body.data).toMatchObject({ salary: null, closes_at: null, requirements_html: null });
  });

  test("refuse a maximum below its minimum, sent together or against what is stored", async () => {
    const { id } = await newJob(company, FULL);
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

  test("remove a job that nobody applied for, and no other", async () => {
    const free = await newJob(company);
    expect((await company.call("DELETE", `${JOBS}/${free.id}`)).body.data).toEqual({
      id: free.id,
      deleted: true,
    });
    expect((await company.call("GET", `${JOBS}/${free.id}`)).status).toBe(404);
    const wanted = await newJob(company);
    must(await apply(company, wanted.slug), 201);
    expect(await company.call("DELETE", `${JOBS}/${wanted.id}`)).toMatchObject({
      status: 409,
      body: { code: "in_use" },
    });
  });
});

describe("settings of departments", () => {
  const path = "/settings/:company/departments";

  test("keep a department's name its own, and its place out of itself", async () => {
    const own = await openCompany();
    const top = await department(own, "Top");
    const middle = await department(own, "Middle", { parent_id: top });
    const bottom = await department(own, "Bottom", { parent_id: middle });
    const move = (id: number, parent_id: number | null) =>
      own.call("PATCH", `${path}/${id}`, { body: { parent_id } });
    for (const below of [top, middle, bottom])
      expect(refusals(await move(top, below))).toEqual(["parent_id cycle"]);
    expect(refusals(await move(top, 999))).toEqual(["parent_id not_found"]);
    must(await move(bottom, top), 200);
    must(await move(middle, bottom), 200);
    expect((await own.call("POST", path, { body: { name: "TOP" } })).body.code).toBe("duplicate_name");
    expect((await own.call("DELETE", `${path}/${top}`)).body.code).toBe("in_use");
    must(await own.call("DELETE", `${path}/${middle}`), 200);
    await expectSound(own);
  });
});

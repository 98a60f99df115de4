import { describe, expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { pagesOf } from "../../support/pages.ts";
import { setClock } from "../commerce.ts";
import { apply, FULL_JOB, JOBS, type Job, newDepartment, newJob } from "../hiring.ts";

const SITE = "/recruitment/:company/jobs";

async function shown(own: TestCompany, query = ""): Promise<Job[]> {
  return must(await own.call<Job[]>("GET", SITE + query), 200).body.data;
}
const titles = async (own: TestCompany, query = "") => (await shown(own, query)).map(({ title }) => title);
const read = (own: TestCompany, slug: string) => own.call<Job>("GET", `${SITE}/${slug}`);

describe("a career site", async () => {
  const own = await openCompany();

  test("reads a job with all that is published of it, its HTML clean", async () => {
    const department_id = await newDepartment(own, "Works");
    const { id, slug } = await newJob(own, { ...FULL_JOB, department_id });
    const job = must(await read(own, slug), 200).body.data;
    expect(job).toEqual({
      id,
      slug: "press-operator",
      title: FULL_JOB.title,
      department: { id: department_id, name: "Works" },
      employment_type: "part_time",
      workplace_type: "on_site",
      location: FULL_JOB.location,
      description_html: "<p>Run <b>presses</b>.</p><p>Safely.</p>",
      description_text: "Run presses.\nSafely.",
      requirements_html: FULL_JOB.requirements_html,
      skills: FULL_JOB.skills,
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
    const { id, slug, salary } = await newJob(own, FULL_JOB);
    expect(salary).toEqual({ min: 20_000, max: 28_500.5, currency: "INR", interval: "month" });
    expect((await own.call("GET", SITE)).text).not.toContain("28500.5");
    expect((await read(own, slug)).text).not.toContain("28500.5");
    must(await own.call("PATCH", `${JOBS}/${id}`, { body: { publish_salary: true } }), 200);
    expect((await read(own, slug)).body.data.salary).toEqual(salary);
  });

  test("sees open jobs alone: any other does not exist for it, to read or to apply", async () => {
    const before = (await shown(own)).map(({ id }) => id);
    const files = await own.files("resumes");
    const open = await newJob(own);
    const hidden = [
      await newJob(own, { status: "closed" }),
      await newJob(own, { is_published: false }),
      await newJob(own, { posted_at: "2999-01-01T00:00:00Z" }),
      await newJob(own, { closes_at: "2020-01-01" }),
    ];
    expect((await shown(own)).map(({ id }) => id)).toEqual([open.id, ...before]);
    for (const { slug } of hidden) {
      expect(await read(own, slug)).toMatchObject({ status: 404, body: { code: "not_found" } });
      expect(await apply(own, slug)).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
    expect(await own.files("resumes")).toEqual(files);
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
});

describe("the jobs of a career site", async () => {
  const own = await openCompany();

  test("are paged by when they were posted, the newest first, without loss or repetition", async () => {
    const day = (n: number) => `2020-01-0${n}T09:00:00Z`;
    for (const n of [3, 1, 4, 2, 4]) await newJob(own, { title: `Day ${n}`, posted_at: day(n) });
    const seen = (await pagesOf<Job>(own, SITE, { limit: "2" })).flat();
    expect(seen.map(({ title }) => title)).toEqual(["Day 4", "Day 4", "Day 3", "Day 2", "Day 1"]);
    expect(new Set(seen.map(({ slug }) => slug)).size).toBe(5);
  });

  test("are counted by the active departments, which are listed by name", async () => {
    const works = await newDepartment(own, "works");
    const assembly = await newDepartment(own, "Assembly", { parent_id: works });
    await newDepartment(own, "Closed down", { is_active: false });
    await newJob(own, { department_id: assembly });
    await newJob(own, { department_id: assembly, status: "closed" });
    expect(must(await own.call("GET", "/recruitment/:company/departments"), 200).body.data).toEqual([
      { id: assembly, name: "Assembly", parent_id: works, open_jobs_count: 1 },
      { id: works, name: "works", parent_id: null, open_jobs_count: 0 },
    ]);
  });

  test("are found by department, city, type, workplace and text", async () => {
    const works = await newDepartment(own, "Turning");
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
});

import { describe, expect, test } from "vitest";
import { must, openBusy, openCompany } from "../../support/company.ts";
import { document, pdf } from "../../support/documents.ts";
import { expectSound } from "../../support/oracles.ts";
import { times } from "../money.ts";
import { CAPTURE, captured, LEADS, post, postForm, ROHAN, readLead } from "./leads.ts";

describe("a person who writes again", () => {
  test("adds to the lead that is open: 20 posts at once are one lead, counted 20 times and kept once", async () => {
    const company = await openBusy();
    const answers = await times(20, () => post(company, { message: "Call me" }));
    const leads = answers.map((answer) => must(answer, 200).body.data);
    expect(new Set(leads.map(({ id, lead_number }) => `${id} ${lead_number}`))).toEqual(
      new Set(["1 LEAD-000001"]),
    );
    expect(leads.map(({ submission_count }) => submission_count).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, n) => n + 1),
    );
    for (const { duplicate, submission_count } of leads) expect(duplicate).toBe(submission_count > 1);
    const { submission_count, submissions } = await readLead(company, 1);
    expect(submission_count).toBe(20);
    expect(submissions).toHaveLength(1);
    await expectSound(company);
  });

  test("loses nothing of what was said, and overwrites nothing: 20 different posts at once are all kept", async () => {
    const company = await openBusy();
    const cities = ["Pune", "Surat"];
    await times(20, (n) => post(company, { name: `R ${n}`, message: `No ${n}`, city: cities[n % 2] }));
    const { submissions, name, city } = await readLead(company, 1);
    expect(submissions.map(({ fields }) => fields.message).sort()).toEqual(
      Array.from({ length: 20 }, (_, n) => `No ${n}`).sort(),
    );
    const first = submissions.at(-1)?.fields;
    expect({ name, city }).toEqual({ name: first?.name, city: first?.city });
  });

  test("with an e-mail address beside the phone that was all before, is a lead of its own: anybody may type a number", async () => {
    const company = await openCompany();
    const bare = { email: undefined, phone: "+91 98980 45678" };
    const first = await captured(company, { ...bare, message: "By phone" });
    const both = { email: "Rohan@Mehta.example", phone: "09898045678" };
    const second = await captured(company, { ...both, message: "By both" });
    expect(second).toMatchObject({ duplicate: false, submission_count: 1 });
    expect(await captured(company, { ...bare, message: "Again" })).toMatchObject({
      id: first.id,
      submission_count: 2,
    });
    expect(await captured(company, { email: "rohan@mehta.example", message: "By mail" })).toMatchObject({
      id: second.id,
      submission_count: 2,
    });
    expect(await readLead(company, first.id)).toMatchObject({ email: null });
    await expectSound(company);
  });

  test("at once, twenty times with phone alone and with both, is two leads that count them all", async () => {
    const company = await openBusy();
    const phone = "9898045679";
    const answers = await times(20, (n) =>
      post(company, { email: n % 2 === 0 ? undefined : "asha@mehta.example", phone, message: `No ${n}` }),
    );
    const leads = answers.map((answer) => must(answer, 200).body.data);
    expect(new Set(leads.map(({ id }) => id)).size).toBe(2);
    expect(await company.rows("SELECT sum(submission_count) AS n FROM leads")).toEqual([{ n: 20 }]);
    await expectSound(company);
  });

  test("fills in what the lead did not say yet, but no number: the submission keeps it", async () => {
    const company = await openCompany();
    const { id } = await captured(company, { city: "Pune" });
    await captured(company, { city: "Surat", phone: "98980 45678", company_name: "Mehta" });
    const lead = await readLead(company, id);
    expect(lead).toMatchObject({
      city: "Pune",
      phone: null,
      company_name: "Mehta",
      submission_count: 2,
    });
    expect(lead.submissions[0]?.fields).toMatchObject({ phone: "98980 45678" });
  });

  test("is known by the e-mail address in any case, else by the last nine digits of the phone", async () => {
    const company = await openCompany();
    const byMail = await captured(company, { email: "ROHAN@mail.example" });
    expect(await captured(company, { email: "rohan@MAIL.example", phone: "1112223334" })).toMatchObject({
      id: byMail.id,
      duplicate: true,
    });
    const byPhone = await captured(company, { email: null, phone: "+91 98980 45678" });
    expect(byPhone.id).not.toBe(byMail.id);
    expect((await captured(company, { email: "", phone: "098980-45678" })).id).toBe(byPhone.id);
    const named = await captured(company, { email: "named@mail.example", phone: "+91 98980 45678" });
    expect(named.id).not.toBe(byPhone.id);
    expect((await captured(company, { email: null, phone: "9898045678" })).id).toBe(byPhone.id);
    // One device, another address: another person.
    const other = await captured(company, { email: "other@mail.example", phone: "+91 98980 45678" });
    expect([byMail.id, byPhone.id]).not.toContain(other.id);
  });

  test("says the same again after five minutes: it is kept again", async () => {
    const company = await openCompany();
    const said = { message: "Call me", page_url: "https://a.example/1", colour: "red", size: "L" };
    const { id } = await captured(company, said);
    // The order of the fields says nothing.
    const turned = Object.fromEntries(Object.entries({ ...ROHAN, ...said }).reverse());
    must(await company.call("POST", CAPTURE, { body: turned }), 200);
    expect((await readLead(company, id)).submissions).toHaveLength(1);
    await company.clock(301);
    await captured(company, said);
    const { submissions, last_submitted_at, created_at } = await readLead(company, id);
    expect(submissions).toHaveLength(2);
    expect(Date.parse(last_submitted_at) - Date.parse(created_at)).toBeGreaterThanOrEqual(300_000);
  });

  test("opens a new lead once the first is closed", async () => {
    const company = await openCompany();
    const { id } = await captured(company);
    const close = (status: string) => company.call("POST", `${LEADS}/${id}/close`, { body: { status } });
    const closed = must(await close("converted"), 200).body.data;
    expect(closed).toMatchObject({ status: "converted", closed_at: expect.stringMatching(/Z$/) });
    expect(must(await close("lost"), 200).body.data).toMatchObject({
      status: "lost",
      closed_at: closed.closed_at,
    });
    expect((await close("new")).status).toBe(422);
    const next = await captured(company);
    expect(next).toMatchObject({ lead_number: "LEAD-000002", duplicate: false, submission_count: 1 });
    expect((await readLead(company, id)).submission_count).toBe(1);
  });
});

describe("a file", () => {
  test("that comes twice is kept once; another one as well", async () => {
    const company = await openCompany();
    const file = document("docx");
    for (const name of ["a.docx", "renamed.docx"])
      must(await postForm(company, [["attachment", file, name]]), 200);
    await expect.poll(() => company.files("leads")).toHaveLength(1);
    must(await postForm(company, [["attachment", document("docx", "word/more.xml"), "a.docx"]]), 200);
    expect((await readLead(company, 1)).submissions.map(({ attachment }) => attachment?.name)).toEqual([
      "a.docx",
      "a.docx",
    ]);
    expect(await company.files("leads")).toHaveLength(2);
  });

  test("of 20 posts at once stays once, with its submission", async () => {
    const company = await openBusy();
    const answers = await times(20, () => postForm(company, [["attachment", pdf(), "a.pdf"]]));
    for (const answer of answers) must(answer, 200);
    await expect.poll(() => company.files("leads")).toHaveLength(1);
    must(await company.call("GET", `${LEADS}/1/submissions/1/attachment`), 200);
    expect(await readLead(company, 1)).toMatchObject({ submission_count: 20, submissions: [{ id: 1 }] });
    await expectSound(company);
  });

  test.each(["reset_before", "reset_after", "truncate"] as const)(
    "of a lead whose commit is lost by %s once is kept, and counted once",
    async (kind) => {
      const company = await openCompany();
      await company.faults({ kind, times: 1, writes_only: true });
      const answer = must(await postForm(company, [["attachment", pdf(), "a.pdf"]]), 200);
      expect(answer.body.data.submission_count).toBe(1);
      expect(await company.files("leads")).toHaveLength(1);
      must(await company.call("GET", `${LEADS}/1/submissions/1/attachment`), 200);
    },
  );
});

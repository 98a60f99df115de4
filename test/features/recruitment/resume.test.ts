import { describe, expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { document, pdf, zip } from "../../support/documents.ts";
import { CLOSE } from "../../support/http.ts";
import { rowCounts } from "../../support/oracles.ts";
import {
  APPLICANT,
  APPLICATIONS,
  applied,
  apply,
  applyWith,
  newJob,
  refusals,
  type Sent,
} from "../hiring.ts";

const MOST = 10 * 1024 * 1024;
const fields: Sent = Object.entries(APPLICANT);

const company = await openCompany();
const job = await newJob(company);

describe("a resume", () => {
  test.each(["pdf", "doc", "docx"] as const)(
    "as %s is taken, stored under its own type, and given back",
    async (kind) => {
      const resume = document(kind);
      const { id } = await applied(
        company,
        job.slug,
        {},
        { resume, filename: `My Resume.${kind.toUpperCase()}` },
      );
      const types = {
        pdf: "application/pdf",
        doc: "application/msword",
        docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      };
      const record = await company.read<{ resume: object }>(`${APPLICATIONS}/${id}`);
      expect(record.resume).toMatchObject({
        name: `My-Resume.${kind}`,
        content_type: types[kind],
        size: resume.length,
      });
      const file = must(await company.call("GET", `${APPLICATIONS}/${id}/resume`), 200);
      expect(file.headers.get("Content-Type")).toBe(types[kind]);
      expect(file.headers.get("Content-Disposition")).toBe(`attachment; filename="My-Resume.${kind}"`);
      expect(file.headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(file.headers.get("Content-Length")).toBe(String(resume.length));
    },
  );

  test("comes back byte for byte", async () => {
    const resume = pdf(70_000);
    for (let at = 100; at < resume.length; at += 1) resume[at] = (at * 7_919) % 256;
    const { id } = await applied(company, job.slug, {}, { resume });
    const { url } = (await company.read<{ resume: { url: string } }>(`${APPLICATIONS}/${id}`)).resume;
    const response = await fetch(url, {
      headers: {
        "X-Client-Id": company.admin.client_id,
        "X-Client-Secret": company.admin.client_secret ?? "",
      },
    });
    expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), Buffer.from(resume))).toBe(0);
  });

  test("may have its PDF header within the first 1,024 bytes", async () => {
    await applied(company, job.slug, {}, { resume: pdf(0, "x".repeat(1_019)) });
    const late = await apply(company, job.slug, {}, { resume: pdf(0, "x".repeat(1_020)) });
    expect(refusals(late)).toEqual(["resume file_content_mismatch"]);
  });

  test("may be a package with a comment behind it", async () => {
    const resume = zip({ "[Content_Types].xml": "", "word/document.xml": "" }, "PK a comment");
    await applied(company, job.slug, {}, { resume, filename: "a.docx" });
  });

  test("of 10 MiB is taken, of a byte more refused", async () => {
    await applied(company, job.slug, {}, { resume: pdf(MOST) });
    const larger = await apply(company, job.slug, {}, { resume: pdf(MOST + 1) });
    expect(refusals(larger)).toEqual(["resume file_too_large"]);
  });
});

// One company, one job: nothing of all this may leave anything behind.
describe("a file that is no resume", () => {
  test.each([
    ["a macro in a package", document("docx", "word/vbaProject.bin"), "a.docx", "macros_not_accepted"],
    ["a macro-enabled name", document("docx"), "a.docm", "invalid_file_type"],
    ["an executable behind the name of a PDF", pdf(), "resume.pdf.exe", "invalid_file_type"],
    ["no extension", pdf(), "resume", "invalid_file_type"],
    ["the wrong kind of document", document("xlsx"), "resume.xlsx", "invalid_file_type"],
    ["another kind than its name", document("doc"), "a.docx", "file_content_mismatch"],
    ["no byte", new Uint8Array(), "resume.pdf", "empty_file"],
  ])("but has %s is 422", async (_, resume, filename, code) => {
    const answer = await apply(company, job.slug, {}, { resume, filename });
    expect(answer.status).toBe(422);
    expect(refusals(answer)).toEqual([`resume ${code}`]);
  });

  test("but a text, two files, or one under another name is 422", async () => {
    const text = await applyWith(company, job.slug, [...fields, ["resume", "my life"]]);
    expect(refusals(text)).toEqual(["resume invalid_type"]);
    const two = await applyWith(company, job.slug, [...fields, ["resume", pdf()], ["resume", pdf()]]);
    expect(refusals(two)).toEqual(["resume too_many_files"]);
    const other = await applyWith(company, job.slug, [
      ...fields,
      ["resume", pdf()],
      ["photo", pdf(), "me.pdf"],
    ]);
    expect(refusals(other)).toEqual(["photo too_many_files"]);
    const misnamed = await applyWith(company, job.slug, [...fields, ["cv", pdf()]]);
    expect(refusals(misnamed)).toEqual(["resume required"]);
  });

  test("but over 11 MiB with its form is 413, though its length is not announced", async () => {
    const head = '--b\r\nContent-Disposition: form-data; name="resume"; filename="a.pdf"\r\n\r\n%PDF-';
    // A little more than is read: what stays unread then breaks no connection.
    const pieces = [Buffer.from(head), ...Array(11 * 16).fill(new Uint8Array(65_536))];
    const path = `/recruitment/:company/jobs/${job.slug}/apply`;
    const headers = { "Content-Type": "multipart/form-data; boundary=b", ...CLOSE };
    const answer = await company.call("POST", path, { body: new Blob(pieces).stream(), headers });
    expect(answer).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
  });
});

test.each([
  ["../../etc/passwd.pdf", "passwd.pdf"],
  ["C:\\fakepath\\my cv.pdf", "my-cv.pdf"],
  ["..pdf", "file.pdf"],
  ['a"; x="b.pdf', "a-x-b.pdf"],
  ["a\r\nSet-Cookie: x=1.pdf", "a-0D-0ASet-Cookie-x-1.pdf"],
  [`${"x".repeat(300)}.pdf`, `${"x".repeat(96)}.pdf`],
])("a file called %j is stored as %s", async (filename, stored) => {
  const before = new Set(await company.files("resumes"));
  await applied(company, job.slug, {}, { filename });
  const [path = "", ...others] = (await company.files("resumes")).filter((one) => !before.has(one));
  expect(others).toEqual([]);
  expect(path).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}\/[A-Za-z0-9._-]{1,100}$/);
  expect(path.slice(27)).toBe(stored);
});

test.each([
  ["résumé – Ásha.pdf", "résumé-Ásha.pdf", "resume-Asha.pdf"],
  ["../आशा का बायोडाटा.pdf", "आशा-का-बायोडाटा.pdf", "file.pdf"],
  ["李娜\u202efdp.简历.PDF", "李娜fdp-简历.pdf", "fdp.pdf"],
  ["\u200d\u3164.pdf", "file.pdf", "file.pdf"],
])("a file called %j keeps its name: %s", async (filename, name, ascii) => {
  const { id } = await applied(company, job.slug, {}, { filename });
  expect((await company.read<{ resume: object }>(`${APPLICATIONS}/${id}`)).resume).toMatchObject({ name });
  const file = must(await company.call("GET", `${APPLICATIONS}/${id}/resume`), 200);
  const own = name === ascii ? "" : `; filename*=UTF-8''${encodeURIComponent(name)}`;
  expect(file.headers.get("Content-Disposition")).toBe(`attachment; filename="${ascii}"${own}`);
});

test("refused files leave neither a row nor a file", async () => {
  const counts = await rowCounts(company);
  expect(await company.files("resumes")).toHaveLength(Number(counts.applications));
});

import { describe, expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { document, KINDS, pdf } from "../../support/documents.ts";
import { rowCounts } from "../../support/oracles.ts";
import { refusals, type Sent } from "../hiring.ts";
import { postForm } from "./leads.ts";

const company = await openCompany();

describe("an attachment", () => {
  test.each(KINDS)("as %s is taken", async (kind) => {
    const sent = await postForm(company, [["attachment", document(kind), `a.${kind}`]]);
    must(sent, 200);
  });

  test.each([
    ["a picture", pdf(), "a.png", "invalid_file_type"],
    ["a renamed sheet", document("xlsx"), "a.docx", "file_content_mismatch"],
    ["a macro", document("pptx", "ppt/vbaProject.bin"), "a.pptx", "macros_not_accepted"],
    ["nothing", new Uint8Array(), "a.pdf", "empty_file"],
    ["10 MB and a byte", pdf(10 * 1024 * 1024 + 1), "a.pdf", "file_too_large"],
  ])("that is %s is 422, and no lead is made of it", async (_, bytes, name, code) => {
    const own = await openCompany();
    const before = await rowCounts(own);
    expect(refusals(await postForm(own, [["attachment", bytes, name]]))).toEqual([`attachment ${code}`]);
    expect(refusals(await postForm(own, [["file", pdf(), "a.pdf"]]))).toEqual(["file unknown_file"]);
    const beside: Sent = [
      ["file", "a.pdf"],
      ["file", pdf(), "a.pdf"],
    ];
    expect(refusals(await postForm(own, beside))).toEqual(["file unknown_file"]);
    expect(await rowCounts(own)).toEqual(before);
    expect(await own.files("leads")).toEqual([]);
  });
});

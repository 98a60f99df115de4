import { describe, expect, test } from "vitest";
import { codeFrom } from "../../../src/features/projects/projects/code.ts";
import { must, openCompany } from "../../support/company.ts";
import { expectRefused, refusal } from "../refusal.ts";
import { newBoard } from "./board.ts";

type ProjectRecord = { id: number; name: string; code: string; status: string; open_items: number };

const company = await openCompany();
const post = (body: unknown) => company.call<ProjectRecord>("POST", "/projects/:company/projects", { body });
const patch = (id: number, body: unknown) =>
  company.call<ProjectRecord>("PATCH", `/projects/:company/projects/${id}`, { body });

test.each([
  ["Web Shop Relaunch", "WSR"],
  ["a b c d e f g", "ABCDE"],
  ["Checkout", "CHEC"],
  ["Go", "GO"],
  ["X", "PRJ"],
  ["3D Printing", "DPRI"],
  ["2026 2027", "PRJ"],
  ["Élan vital", "EV"],
  ["திட்டம்", "PRJ"],
  ["खाता Kosh", "KOSH"],
  ["---", "PRJ"],
])("the code of %s is %s", (name, code) => {
  expect(codeFrom(name)).toBe(code);
});

describe("a project", () => {
  test("derives its code from the name where none is sent, and numbers it where it is taken", async () => {
    const codes: string[] = [];
    for (const name of ["Mobile App", "Mobile app", "Metro Areas"])
      codes.push(must(await post({ name }), 201).body.data.code);
    expect(codes).toEqual(["MA", "MA2", "MA3"]);
  });

  test("takes a code in any case; one that is taken is 409, one that is none 422", async () => {
    expect(must(await post({ name: "Any", code: " abc1 " }), 201).body.data.code).toBe("ABC1");
    expect(await post({ name: "Any", code: "Abc1" })).toMatchObject(refusal(409, "duplicate_project_code"));
    for (const code of ["A", "1AB", "A-B", "ABCDEFGHIJK", "ÄB"])
      expectRefused(await post({ name: "Any", code }), { code: "invalid_format" });
  });

  test("of 20 at once with one name each has a code of its own", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post({ name: "Same Name" })));
    expect(new Set(answers.map(({ body }) => body.data.code)).size).toBe(20);
  });

  test("changes its code until the first work item has a reference with it", async () => {
    const board = await newBoard(company, { code: "EARLY" });
    must(await patch(board.id, { code: "late" }), 200);
    expect((await board.item()).reference).toBe("LATE-1");
    expectRefused(await patch(board.id, { code: "LATER" }), { code: "read_only" });
    must(await patch(board.id, { code: "LATE", name: "Renamed" }), 200);
    expect((await board.item()).reference).toBe("LATE-2");
    const other = await newBoard(company, { code: "OTHER" });
    expect((await patch(other.id, { code: "LATE" })).body.code).toBe("duplicate_project_code");
  });

  test("is listed newest first with its open items, and read by its id", async () => {
    const board = await newBoard(company, { name: "Counted" });
    const [first] = await Promise.all([board.item(), board.item(), board.item({ status: "cancelled" })]);
    must(await board.move(first.id, { status: "done" }), 200);
    const list = must(await company.call<ProjectRecord[]>("GET", "/projects/:company/projects?limit=1"), 200);
    expect(list.body).toMatchObject({
      success: true,
      data: [{ id: board.id, open_items: 1 }],
      paging: { has_more: true },
    });
    must(await board.move(first.id, { status: "resolved" }), 200);
    must(await patch(board.id, { status: "archived" }), 200);
    const one = await board.read("");
    expect(one).toMatchObject({ name: "Counted", status: "archived", open_items: 2 });
  });
});

test("an archived project takes no more work items, and counts no number for them; active again, it does", async () => {
  const board = await newBoard(company, { name: "Archived" });
  await board.item();
  must(await patch(board.id, { status: "archived" }), 200);
  const refused = await Promise.all([board.postItem(), board.postItem()]);
  for (const answer of refused)
    expect(answer).toMatchObject(
      refusal(409, "invalid_status", { message: "The project is archived: it takes no more work items" }),
    );
  must(await patch(board.id, { status: "active" }), 200);
  expect((await board.item()).number).toBe(2);
});

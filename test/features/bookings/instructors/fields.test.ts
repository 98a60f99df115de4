import { describe, expect, test } from "vitest";
import { openCompany } from "../../../support/company.ts";
import { expectRefused } from "../../refusal.ts";
import { newInstructor, SYDNEY } from "../../school.ts";

const FIELDS = "/settings/:company/instructor-fields";

const company = await openCompany(SYDNEY);

describe("instructor fields", () => {
  test("are added, changed and removed, their key and type once and for all", async () => {
    const level = { key: "level", label: "Level", type: "select", options: ["A", "B"] };
    const path = `${FIELDS}/${(await company.make(FIELDS, level)).id}`;
    const changed = await company.call("PATCH", path, { body: { label: "Grade", options: ["A"] } });
    expect(changed.body.data).toMatchObject({ key: "level", label: "Grade", options: ["A"] });
    expect((await company.call("PATCH", path, { body: { key: "x" } })).body.code).toBe("no_accepted_fields");
    const again = await company.call("POST", FIELDS, { body: { key: "level", label: "L", type: "text" } });
    expect(again).toMatchObject({ status: 409, body: { code: "duplicate_name" } });
    expect((await company.call("DELETE", path)).status).toBe(200);
    expect((await company.call("GET", path)).status).toBe(404);
  });

  test.each([
    ["transmission", "invalid"],
    ["car", "invalid"],
    ["a b", "invalid_format"],
    ["", "invalid_format"],
  ])("of key %j are refused", async (key, code) => {
    const answer = await company.call("POST", FIELDS, { body: { key, label: "L", type: "text" } });
    expectRefused(answer, { key: code });
  });

  test.each([
    ["text", "x", 1],
    ["number", 1.5, "1"],
    ["boolean", true, "true"],
    ["select", "A", "C"],
    ["multiselect", ["A", "B"], ["C"]],
    ["date", "2026-01-31", "soon"],
  ])("of type %s take %j and refuse %j", async (type, right, wrong) => {
    const key = `my_${type}`;
    const options = type.endsWith("select") ? ["A", "B"] : undefined;
    await company.make(FIELDS, { key, label: "Mine", type, options });
    const made = await newInstructor(company, { custom_fields: { [key]: right } });
    expect(made.custom_fields).toEqual({ [key]: right });
    const answer = await company.call("POST", "/settings/:company/instructors", {
      body: { name: "T", transmission: "auto", custom_fields: { [key]: wrong } },
    });
    expectRefused(answer, { [`custom_fields.${key}`]: "invalid_value" });
  });
});

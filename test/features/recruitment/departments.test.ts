import { expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { newDepartment, refusals } from "../hiring.ts";

const path = "/settings/:company/departments";

test("settings of departments keep a department's name its own, and its place out of itself", async () => {
  const own = await openCompany();
  const top = await newDepartment(own, "Top");
  const middle = await newDepartment(own, "Middle", { parent_id: top });
  const bottom = await newDepartment(own, "Bottom", { parent_id: middle });
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

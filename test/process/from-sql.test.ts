import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { useFolder } from "../support/folder.ts";

const place = useFolder();
for (const part of ["package.json", "migrations", "src/build/from-sql", "src/tenancy/migrations"])
  cpSync(part, place(part), { recursive: true });

/** What is made of the SQL in the copy. */
function made(): string[] {
  const make = 'import("./src/build/from-sql/make.ts").then(({ makeFromSql }) => makeFromSql())';
  execFileSync(process.execPath, ["-e", make], { cwd: place() });
  return ["tables/refunds.ts", "tables/storefront.ts", "migrations.ts"].map((file) =>
    readFileSync(place("build", file), "utf8"),
  );
}

test("what is made of the SQL is made anew where a kill or a hand left it otherwise, and after a change of the SQL", () => {
  const whole = made();
  writeFileSync(place("build/tables/refunds.ts"), "");
  expect(made()).toEqual(whole);
  rmSync(place("build/tables/storefront.ts"));
  expect(made()).toEqual(whole);
  const file = place("migrations/company/12_storefront.sql");
  const text = readFileSync(file, "utf8");
  writeFileSync(
    file,
    text.replace("CREATE TABLE sales_orders (", "CREATE TABLE sales_orders (\n  colour TEXT,"),
  );
  const [, changed] = made();
  expect(changed).toContain('text("colour")');
  // As a kill between the writes leaves it: the SQL is as before, and one file is of the change.
  writeFileSync(file, text);
  expect(made()).toEqual(whole);
  writeFileSync(place("build/tables/storefront.ts"), String(changed));
  expect(made()).toEqual(whole);
}, 60_000);

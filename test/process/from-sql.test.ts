import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { useFolder } from "../support/folder.ts";

const place = useFolder();
for (const part of ["package.json", "migrations", "src/build/from-sql", "src/tenancy/migrations"])
  cpSync(part, place(part), { recursive: true });

const MAKE = 'import("./src/build/from-sql/make.ts").then(({ makeFromSql }) => makeFromSql())';

/** What is made of the SQL in the copy. */
function made(): string[] {
  execFileSync(process.execPath, ["-e", MAKE], { cwd: place() });
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

// A container has the tree under another path, where its user may not write.
test("nothing is written where the tree was moved after all was made", () => {
  made();
  const stamp = () => statSync(place("moved/build/from-sql.sha256")).mtimeMs;
  const parts = ["build", "migrations", "src", "package.json"];
  for (const part of parts) cpSync(place(part), place("moved", part), { recursive: true });
  const before = stamp();
  execFileSync(process.execPath, ["-e", MAKE], { cwd: place("moved") });
  expect(stamp()).toBe(before);
}, 60_000);

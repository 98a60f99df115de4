import { expect, test } from "vitest";
import { openCompany } from "../../support/company.ts";
import { newCourse, schoolCall } from "../school.ts";

test("courses are active products with a transmission, by name; a package has a length too", async () => {
  const company = await openCompany({ country: "AU", currency: "AUD" });
  await newCourse(company, { name: "Manual hour", transmission: "manual", selling_price: 80 });
  const id = await newCourse(company, { name: "Auto hour", tax_rate: 10, selling_price: 70 });
  await newCourse(company, { name: "Bundle", is_package: true, sessions: 10, selling_price: 650.5 });
  await newCourse(company, { name: "Retired", status: "inactive" });
  await newCourse(company, { name: "Book", duration_minutes: null, transmission: null });
  await newCourse(company, { name: "Voucher", duration_minutes: null, is_package: true, sessions: 2 });
  const courses = async (query = "") =>
    JSON.parse((await schoolCall(company, "GET", `/courses${query}`)).text).courses;
  expect((await courses())[0]).toEqual({
    id,
    name: "Auto hour",
    price: 77,
    currency: "AUD",
    duration_minutes: 60,
    transmission: "auto",
    is_package: false,
    sessions: null,
    product_type: "service",
  });
  const named = async (query: string) => (await courses(query)).map(({ name }: { name: string }) => name);
  expect(await named("")).toEqual(["Auto hour", "Bundle", "Manual hour"]);
  expect(await named("?transmission=auto")).toEqual(["Auto hour", "Bundle"]);
  expect(await named("?transmission=manual")).toEqual(["Manual hour"]);
  expect(await named("?type=lesson")).toEqual(["Auto hour", "Manual hour"]);
  expect(await named("?type=package&transmission=auto")).toEqual(["Bundle"]);
  expect((await schoolCall(company, "GET", "/courses?type=x")).status).toBe(422);
});

import type { TestCompany } from "../../../support/company.ts";
import { connectGateway } from "../../../support/gateways.ts";
import { book, expectStatus, newCourse, openSchool, type School, STUDENT, schoolCall } from "../../school.ts";
import { DATE } from "../bookings/gateway-school.ts";

export { DATE, PAGES } from "../bookings/gateway-school.ts";

export const shopper = { name: "Mia", email: STUDENT.email, country: "IN" };

export async function openShop() {
  const school = await openSchool({});
  const { company } = school;
  const connected = await connectGateway(company, "razorpay");
  const packageId = await newCourse(company, {
    name: "Five lessons",
    selling_price: 300,
    is_package: true,
    sessions: 5,
    lesson_product_id: school.courseId,
    package_days: 90,
  });
  return { school, company, connected, packageId };
}

export const lineOf = (product_id: number, quantity = 1) => ({
  product_id,
  name: "P",
  quantity,
  unit_price: 300,
});

export async function packagesOf(company: TestCompany) {
  type Listed = { packages: Record<string, unknown>[] };
  const answer = await schoolCall<Listed>(company, "GET", `/packages?customer_email=${STUDENT.email}`);
  return expectStatus(answer, 200).body.packages;
}

export function useSession(school: School, packageId: unknown, start_time: string) {
  const prepaid = { product_id: undefined, booking_package_id: packageId };
  return book(school, { booking_date: DATE, start_time, ...prepaid });
}

import { must, type TestCompany } from "./company.ts";

const DAY_MS = 86_400_000;

/** A booking of the company whose money has a receipt; gives its id. */
export async function receiptedBooking(company: TestCompany): Promise<string> {
  const post = async (path: string, body: object) =>
    must(await company.call<{ id: string | number }>("POST", path, { body }), 201).body.data.id;
  const course = {
    name: "Lesson",
    unit_id: 1,
    selling_price: 75,
    duration_minutes: 60,
    transmission: "auto",
  };
  const windows = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, start: "09:00", end: "17:00" }));
  const instructor = { name: "Priya", transmission: "both", schedule: windows };
  const rules = { issue_invoices: false };
  must(await company.call("PATCH", "/settings/:company/booking-settings", { body: rules }), 200);
  return String(
    await post("/settings/:company/bookings", {
      customer: { name: "Mia", email: "mia@example.com" },
      instructor_id: Number(await post("/settings/:company/instructors", instructor)),
      product_id: Number(await post("/products/:company", course)),
      booking_date: new Date(Date.now() + 9 * DAY_MS).toISOString().slice(0, 10),
      ...{ start_time: "10:00", status: "confirmed", payment_status: "paid" },
    }),
  );
}

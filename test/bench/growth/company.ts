import { newCustomer, newInvoice, REGISTERED } from "../../features/commerce.ts";
import { CASH, newPayment, newProduct } from "../../features/money.ts";
import {
  daysAhead,
  everyDay,
  newBooking,
  newCourse,
  newInstructor,
  setRules,
} from "../../features/school.ts";
import { openBusy, type TestCompany } from "../../support/company.ts";
import type { ServiceAddress } from "../../support/http.ts";
import { INVOICE } from "../scenarios.ts";
import { growCompany, type Size, YEARS } from "./rows.ts";

const DAYS_OF_A_YEAR = 365;

/** A company, and the customer of its invoices. */
export type Grown = { company: TestCompany; customerId: string };

/** Opens a company, makes one record of each kind through the API, and copies them until it has its size. */
export async function openGrown(service: ServiceAddress, slug: string, size: Size): Promise<Grown> {
  const company = await openBusy({ slug, ...REGISTERED }, service);
  const { id: customerId } = await newCustomer(company, { email: "accounts@customer.example" });
  await makeSales(company, customerId);
  await newProduct(company, { name: "Bottle", sku: "BTL", tax_rate: 18 });
  await makeLesson(company);
  const projects = "/projects/:company/projects";
  await company.make(projects, { name: "Shop", code: "SHOP" });
  await company.make(`${projects}/1/work-items`, { title: "Pay by UPI" });
  await company.database().batch(
    [
      `INSERT INTO messages (id, channel, status, details, content, created_at)
        VALUES ('msg_010', 'sms', 'delivered', '{}', '{"text":"Your invoice is ready"}', 1)`,
      `INSERT INTO message_recipients (message_id, ordinal, address, status, provider, dispatch_state, leased_until)
        VALUES ('msg_010', 0, '919845077777', 'delivered', 'msg91', 'dispatched', 0)`,
    ],
    "write",
  );
  await growCompany(company.database(), size);
  return { company, customerId };
}

async function makeSales(company: TestCompany, customerId: string): Promise<void> {
  const dates = Array.from({ length: YEARS }, (_, year) => daysAhead(-year * DAYS_OF_A_YEAR));
  const ids: string[] = [];
  for (const date of dates) {
    const fields = { ...INVOICE, invoice_date: date, due_date: "2099-12-31" };
    ids.push((await newInvoice(company, customerId, fields)).id);
  }
  for (const [year, id] of ids.entries())
    await newPayment(company, {
      ...{ invoice_id: id, amount: 100, payment_date: dates[year], payment_mode_id: CASH },
    });
}

async function makeLesson(company: TestCompany): Promise<void> {
  const courseId = await newCourse(company, { duration_minutes: 30 });
  const { id: instructorId } = await newInstructor(company, { schedule: everyDay("00:00-23:59") });
  const rules = { buffer_minutes: 0, min_notice_minutes: 0, advance_days: 366, slot_length_minutes: 30 };
  await setRules(company, rules);
  const start = { booking_date: daysAhead(2), start_time: "10:00" };
  await newBooking({ company, instructorId, courseId }, start);
}

import { inject } from "vitest";
import { companyDate } from "#core/calendar.ts";
import { setClock } from "../../features/commerce.ts";
import { everyDay, newCourse, newInstructor, SYDNEY, schoolCall, setRules } from "../../features/school.ts";
import { openCompany, type TestCompany } from "../../support/company.ts";
import { connectGateway, type Kind } from "../../support/gateways.ts";
import { Front } from "./front.ts";
import { Site } from "./site.ts";

const MEI = {
  name: "Mei Tan",
  transmission: "both",
  languages: ["English", "Mandarin"],
  bio: "Twelve years of nervous beginners.",
  service_areas: [{ suburb: "Burwood", postcode: "2134", state: "NSW" }],
  schedule: everyDay("09:00-17:00"),
};
const TOM = {
  name: "Tom Walker",
  transmission: "auto",
  service_areas: [{ suburb: "Parramatta", postcode: "2150", state: "NSW" }],
  schedule: everyDay("09:00-17:00"),
};

/** A driving school in Sydney whose website takes bookings, and what stands between the two. */
export type School = {
  company: TestCompany;
  site: Site;
  front: Front;
  /** Ids of the lesson that costs $75 and of the instructors. */
  lesson: number;
  mei: number;
  tom: number;
  /** What became of it all, oldest first. */
  bookings(): Promise<{ id: string; status: string }[]>;
  close(): void;
};

/** Opens it, paid through Stripe; `gateway: null` leaves it without online payment. */
export async function openSchoolSite({ gateway = "stripe" as Kind | null } = {}): Promise<School> {
  const company = await openCompany({ name: "Harbour Driving School", ...SYDNEY });
  const [site, front] = await Promise.all([Site.open(), Front.open(inject("service").url)]);
  const { client_id } = await company.publishableKey(site.origin);
  const { gatewaysUrl: gateways } = company;
  site.values = { host: front.origin, gateways, company: company.slug, client_id };
  const lesson = await newCourse(company);
  await newCourse(company, { name: "Manual lesson", selling_price: 82.5, transmission: "manual" });
  await newCourse(company, { name: "Long lesson", selling_price: 110, duration_minutes: 90 });
  await newCourse(company, { name: "Trial lesson", selling_price: 0, duration_minutes: 30 });
  const mei = await newInstructor(company, MEI);
  const tom = await newInstructor(company, TOM);
  await setRules(company, { min_notice_minutes: calmNotice() });
  if (gateway !== null) await connectGateway(company, gateway, { currencies: ["AUD"], is_active: true });
  return {
    company,
    site,
    front,
    lesson,
    mei: mei.id,
    tom: tom.id,
    async bookings() {
      const database = company.database();
      const { rows } = await database.execute("SELECT id, status FROM bookings ORDER BY booking_number");
      database.close();
      return rows.map(({ id, status }) => ({ id: String(id), status: String(status) }));
    },
    close() {
      site.close();
      front.close();
    },
  };
}

/** A notice that ends a minute past an hour, so that no slot closes for the rest of this hour, while a test runs. */
function calmNotice(): number {
  return 121 + ((60 - new Date().getMinutes()) % 60);
}

/** An instructor's first free time, of a slot's length. */
export async function nextOf(company: TestCompany, id: number): Promise<{ date: string; start: string }> {
  type Listed = { id: number; next_available: { date: string; start: string } | null };
  const path = "/instructors?with_next=true";
  const { body } = await schoolCall<{ instructors: Listed[] }>(company, "GET", path);
  const next = body.instructors.find((one) => one.id === id)?.next_available;
  if (next == null) throw new Error("The instructor has no free time");
  return next;
}

/** What the widget asks for to show a day of a lesson that is no slot long: each month from today's on until that day's. */
export function monthsTo(date: string): string[] {
  const today = companyDate(Date.now(), SYDNEY.timezone);
  const [first = 0, last = 0] = [today, date].map(
    (day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)),
  );
  return Array.from({ length: last - first + 1 }, () => "/availability/dates");
}

/** An evening in the middle of a month: the next day has all of its times, and the month other days. */
export async function setEvening(company: TestCompany, time = "10:10"): Promise<void> {
  const evening = new Date();
  evening.setUTCMonth(evening.getUTCMonth() + 1, 15);
  await setClock(company, `${evening.toISOString().slice(0, 10)}T${time}:00Z`);
}

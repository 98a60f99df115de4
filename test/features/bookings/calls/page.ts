import type { TestCompany } from "../../../support/company.ts";
import { connectGateway } from "../../../support/gateways.ts";
import {
  type Booked,
  book,
  daysAhead,
  everyDay,
  newInstructor,
  openSchool,
  type School,
  type SchoolAnswer,
  schoolCall,
  setRules,
} from "../../school.ts";

const ORIGIN = "https://book.example.com";
export const KEYS = { site_key: "0x4AAAAAAA-site", secret: "0x4AAAAAAA-very-secret-9xQ2" };

type Way = { address?: string; headers?: Record<string, string>; own?: School };

/** A school with a booking page, whose visitors come from addresses. */
export type BookingPage = {
  school: School;
  company: TestCompany;
  /** A call of the page. */
  read: (path: string, address?: string) => Promise<SchoolAnswer<Record<string, unknown>>>;
  /** Another learner asks for the n-th of many times, of which an address can hold all. */
  ask: (place: number, fields?: object, way?: Way) => Promise<SchoolAnswer<Booked>>;
};

/** A school of 23 hours a day without a gap between lessons, paid online, with Turnstile as given. */
export async function openPage(turnstile?: object): Promise<BookingPage> {
  const school = await openSchool({}, { windows: ["00:00-23:00"] });
  const { company } = school;
  await setRules(company, { buffer_minutes: 0, ...(turnstile && { turnstile: { ...KEYS, ...turnstile } }) });
  await connectGateway(company, "razorpay");
  const key = await company.publishableKey(ORIGIN);
  const from = (address: string, headers = {}) => ({
    key,
    headers: { Origin: ORIGIN, "CF-Connecting-IP": address, ...headers },
  });
  let learners = 0;
  return {
    school,
    company,
    read: (path, address = "198.51.100.7") => schoolCall(company, "GET", path, from(address)),
    ask: (place, fields = {}, { address = "198.51.100.7", headers = {}, own = school } = {}) => {
      learners += 1;
      const customer = { name: "Learner", email: `learner${learners}@example.com` };
      const when = { booking_date: daysAhead(7 + Math.floor(place / 5)), start_time: `0${place % 5}:00` };
      return book(own, { ...when, customer, ...fields }, from(address, headers));
    },
  };
}

/** The same with ten instructors: forty learners do not want one day of one of them. `of` is the n-th learner's wish. */
export async function openCollege(turnstile?: object) {
  const page = await openPage(turnstile);
  const ids = [page.school.instructorId];
  while (ids.length < 10)
    ids.push((await newInstructor(page.company, { schedule: everyDay("00:00-23:00") })).id);
  const of = (place: number) => ({
    instructor_id: ids[place % ids.length],
    booking_date: daysAhead(7),
    start_time: `0${Math.floor(place / ids.length)}:00`,
  });
  return { ...page, of };
}

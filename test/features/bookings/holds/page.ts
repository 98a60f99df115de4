import { expect } from "vitest";
import { clockTimeToWire } from "#shared/fields/clock-time.ts";
import { connectGateway } from "../../../support/gateways.ts";
import { book, daysAhead, openSchool, type School, schoolCall, setRules } from "../../school.ts";

const ORIGIN = "https://book.example.com";
export const CARRIER = "203.0.113.77";
export const KEYS = { site_key: "0x4AAAAAAA-site", secret: "0x4AAAAAAA-very-secret-9xQ2" };

export const PHONE = "+91 98470 12345";
/** What a usual day offers: lessons of an hour, with a quarter of an hour between them. */
export const TIMES = ["09:00", "10:15", "11:30", "12:45", "14:00", "15:15"];
export const TIMES_OF_A_LONG_DAY = Array.from({ length: 18 }, (_, place) => clockTimeToWire(place * 75));
/** The answer to who holds too much by a limit, where the school has that phone. */
export const tooMany = (limit: string) => ({
  status: 429,
  body: { code: "too_many_holds", limit, retry_after: expect.any(Number), phone: PHONE },
});

type Ways = { online?: boolean; windows?: string[]; rules?: object; profile?: object };

/** A school of usual days (eight hours, and a quarter of an hour between lessons), and strangers who book on its page. */
export async function openUsual({
  online = true,
  windows = ["09:00-17:00"],
  rules = {},
  profile = {},
}: Ways = {}) {
  const school = await openSchool({}, { windows });
  const { company } = school;
  await setRules(company, { buffer_minutes: 15, slot_step_minutes: 75, min_notice_minutes: 0, ...rules });
  if (Object.keys(profile).length > 0)
    await company.call("PATCH", "/settings/:company/profile", { body: profile });
  if (online) await connectGateway(company, "razorpay");
  const key = await company.publishableKey(ORIGIN);
  const from = (address: string, headers: Record<string, string> = {}) => ({
    key,
    headers: { Origin: ORIGIN, "CF-Connecting-IP": address, ...headers },
  });
  let strangers = 0;
  return {
    school,
    company,
    key,
    from,
    /** Another stranger asks for a lesson, so many days ahead. */
    ask: (day: number, time: string, fields: object = {}, address = CARRIER, own: School = school) => {
      strangers += 1;
      const customer = { name: "Stranger", email: `stranger${strangers}@example.com` };
      const at = { booking_date: daysAhead(day), start_time: time };
      return book(own, { ...at, customer, ...fields }, from(address));
    },
    /** A visitor's token for an address. */
    tokenFor: async (address = CARRIER) => {
      const { body } = await schoolCall<{ visitor: string }>(company, "GET", "/start", from(address));
      return body.visitor;
    },
    cancel: (id: string, address = CARRIER) =>
      schoolCall(company, "POST", `/bookings/${id}/cancel`, { body: {}, ...from(address) }),
  };
}

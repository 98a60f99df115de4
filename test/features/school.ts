import type * as z from "zod";
import type { Availability } from "../../src/features/bookings/availability/get.ts";
import type { Booking, NewBooking } from "../../src/features/bookings/bookings/schema.ts";
import type { staffBooking } from "../../src/features/bookings/bookings/staff-snapshot.ts";
import type { instructor } from "../../src/features/bookings/instructors/record.ts";
import type { bookingPackage } from "../../src/features/bookings/packages/record.ts";
import type { BookingPayment } from "../../src/features/bookings/payments/snapshot.ts";
import { type Call, must, openCompany, type TestCompany } from "../support/company.ts";
import type { Answer, ServiceAddress } from "../support/http.ts";
import { newProduct } from "./money.ts";

type Fields = Record<string, unknown>;
export type BookingRecord = z.infer<typeof Booking>;
export type StaffBooking = z.infer<typeof staffBooking.schema>;
export type InstructorRecord = z.infer<typeof instructor.schema>;
/** What an answer of Bookings has beside the members of every answer. */
export type Booked = { booking: z.infer<typeof NewBooking>; payment: z.infer<typeof BookingPayment> };

const DAY_MS = 86_400_000;
const BEGINNING = Date.now();
export const STUDENT = { name: "Mia Chen", email: "mia@example.com", phone: "0412 345 678" };
/** Where most schools of the tests are. */
export const SYDNEY = { country: "AU", currency: "AUD", timezone: "Australia/Sydney" };
const SCHOOLS = "/schools/:company";
const SETTINGS = "/settings/:company";
/** Where staff have the bookings. */
export const STAFF_BOOKINGS = `${SETTINGS}/bookings`;

/** A school with one instructor, who works the same windows on all seven days, and one course of an hour. */
export type School = { company: TestCompany; instructorId: number; courseId: number };

export async function openSchool(
  fields: Fields = {},
  { windows = ["09:00-17:00"], service }: { windows?: string[]; service?: ServiceAddress } = {},
): Promise<School> {
  const company = await openCompany({ name: "Coast Driving School", ...fields }, service);
  const [instructor, courseId] = await Promise.all([
    newInstructor(company, { schedule: everyDay(...windows) }),
    newCourse(company),
  ]);
  return { company, instructorId: instructor.id, courseId };
}

/** A week that has these windows, such as `09:00-12:00`, on each of its days. */
export function everyDay(...windows: string[]): Fields[] {
  return [1, 2, 3, 4, 5, 6, 7].flatMap((weekday) => onDay(weekday, ...windows));
}

export function onDay(weekday: number, ...windows: string[]): Fields[] {
  return windows.map((window) => {
    const [start, end] = window.split("-");
    return { weekday, start, end };
  });
}

export async function newInstructor(company: TestCompany, fields: Fields = {}): Promise<InstructorRecord> {
  const body = { name: "Priya Raman", transmission: "both", ...fields };
  return company.make<InstructorRecord>(`${SETTINGS}/instructors`, body);
}

export async function newCourse(company: TestCompany, fields: Fields = {}): Promise<number> {
  const product = await newProduct(company, {
    name: "Driving lesson",
    product_type: "service",
    selling_price: 75,
    duration_minutes: 60,
    transmission: "auto",
    ...fields,
  });
  return Number(product.id);
}

export async function setRules(company: TestCompany, body: Fields): Promise<void> {
  must(await company.call("PATCH", `${SETTINGS}/booking-settings`, { body }), 200);
}

export async function setSchedule({ company, instructorId }: School, schedule: Fields[]): Promise<void> {
  const path = `${SETTINGS}/instructors/${instructorId}/schedule`;
  must(await company.call("PUT", path, { body: { schedule } }), 200);
}

export async function addOverride({ company, instructorId }: School, body: Fields): Promise<void> {
  must(await company.call("POST", `${SETTINGS}/instructors/${instructorId}/overrides`, { body }), 201);
}

/** A pre-paid package of the student. */
export async function newPackage(
  { company, courseId }: School,
  fields: Fields = {},
): Promise<z.infer<typeof bookingPackage.schema>> {
  const body = { product_id: courseId, sessions_total: 5, ...fields };
  return company.make<z.infer<typeof bookingPackage.schema>>(`${SETTINGS}/booking-packages`, body);
}

export type SchoolAnswer<Members> = Omit<Answer, "body"> & { body: Answer["body"] & Members };

/** A call of Bookings; the path goes on behind the school's. */
export async function schoolCall<Members = Fields>(
  company: TestCompany,
  method: string,
  path: string,
  call: Call = {},
): Promise<SchoolAnswer<Members>> {
  return (await company.call(method, SCHOOLS + path, call)) as SchoolAnswer<Members>;
}

/** Asks for a booking of the school's course with its instructor. */
export function book(school: School, fields: Fields = {}, call: Call = {}): Promise<SchoolAnswer<Booked>> {
  const { company, instructorId, courseId } = school;
  const body = { customer: STUDENT, instructor_id: instructorId, product_id: courseId, ...fields };
  return schoolCall<Booked>(company, "POST", "/bookings", { body, ...call });
}

export async function newBooking(
  school: School,
  fields: Fields = {},
  call: Call = {},
): Promise<BookingRecord> {
  const { manage_url: _, ...booking } = expectStatus(await book(school, fields, call), 201).body.booking;
  return booking;
}

/** Makes a booking, and gives where its own page is, from the root of the host. */
export async function newVisit(
  school: School,
  fields: Fields = {},
): Promise<{ booking: BookingRecord; path: string }> {
  const { booking } = expectStatus(await book(school, fields), 201).body;
  return { booking, path: new URL(booking.manage_url ?? "").pathname };
}

/** A booking as every answer has it. */
export async function readBooking(company: TestCompany, id: string): Promise<BookingRecord> {
  const answer = await schoolCall<{ booking: BookingRecord }>(company, "GET", `/bookings/${id}`);
  const { cancellation: _, course: __, ...booking } = expectStatus(answer, 200).body.booking;
  return booking;
}

/** A booking as staff read it. */
export function staffRead(company: TestCompany, id: string): Promise<StaffBooking> {
  return company.read<StaffBooking>(`${STAFF_BOOKINGS}/${id}`);
}

/** Asks for a change of a booking as staff do. */
export function staffPatch(company: TestCompany, id: string, body: object): Promise<Answer<StaffBooking>> {
  return company.call<StaffBooking>("PATCH", `${STAFF_BOOKINGS}/${id}`, { body });
}

/** A browser of its own: a publishable key, from a page that it lists. */
export async function browserOf(company: TestCompany) {
  const origin = "https://book.example.com";
  return { key: await company.publishableKey(origin), headers: { Origin: origin } };
}

/** How a booking and its payment stand, such as `confirmed paid`. */
export async function bookingState(company: TestCompany, id: string): Promise<string> {
  const { status, payment_status: payment } = await readBooking(company, id);
  return `${status} ${payment}`;
}

/** The answer, when it has the status that the test builds on. */
export function expectStatus<Members>(answer: SchoolAnswer<Members>, status: number): SchoolAnswer<Members> {
  must(answer as Answer, status);
  return answer;
}

export async function availability(
  { company, instructorId }: School,
  date: string,
  query = "",
): Promise<z.infer<typeof Availability>> {
  const path = `/availability?instructor_id=${instructorId}&date=${date}${query}`;
  return expectStatus(await schoolCall(company, "GET", path), 200).body as never;
}

/** The starts that a date offers, or the reason why there is none. */
export async function offered(school: School, date: string, query = ""): Promise<string[] | string | null> {
  const { available, reason, slots } = await availability(school, date, query);
  return available ? slots.map(({ start }) => start) : reason;
}

/** The date so many days from the beginning of the tests, in UTC: midnight passes between no two dates of a test. */
export function daysAhead(days: number): string {
  return new Date(BEGINNING + days * DAY_MS).toISOString().slice(0, 10);
}

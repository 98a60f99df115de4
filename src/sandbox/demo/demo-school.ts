import type { Api } from "../api.ts";
import { createAll, unitOf } from "./create-all.ts";

type Window = { weekday: number; start: string; end: string };

const WORKDAYS = [1, 2, 3, 4, 5];

/** All of New South Wales. */
const SUBURBS = {
  Strathfield: { postcode: "2135", latitude: -33.8726, longitude: 151.0941 },
  Burwood: { postcode: "2134", latitude: -33.8771, longitude: 151.1042 },
  Parramatta: { postcode: "2150", latitude: -33.815, longitude: 151.0011 },
  Chatswood: { postcode: "2067", latitude: -33.7969, longitude: 151.1832 },
  Bondi: { postcode: "2026", latitude: -33.8915, longitude: 151.2767 },
};
type Suburb = keyof typeof SUBURBS;

const LOCATIONS = [
  place("Strathfield office", "office", "Strathfield", "Mon-Fri 08:00-18:00, Sat 08:00-13:00"),
  place("Burwood station pickup", "pickup_point", "Burwood", null),
  place("Parramatta test centre", "test_centre", "Parramatta", "Mon-Fri 08:30-17:00"),
];

const FIELDS = [
  {
    key: "teaches",
    label: "Teaches",
    type: "multiselect",
    options: ["Beginners", "Overseas licences", "Test preparation", "Nervous drivers"],
  },
  { key: "years_teaching", label: "Years teaching", type: "number" },
];

const INSTRUCTORS = [
  {
    name: "Priya Raman",
    gender: "female",
    nationality: "Indian",
    languages: ["English", "Tamil", "Hindi"],
    transmission: "both",
    car_make: "Toyota",
    car_model: "Corolla",
    bio: "Calm and clear. Most of my students have never sat behind a wheel before.",
    service_areas: [around("Strathfield", 10), around("Burwood", 8)],
    custom_fields: { teaches: ["Beginners", "Nervous drivers"], years_teaching: 9 },
    schedule: [...week("08:00-12:00", "13:00-17:00"), ...on(6, "08:00-13:00")],
  },
  {
    name: "Tom Reid",
    gender: "male",
    nationality: "Australian",
    languages: ["English"],
    transmission: "manual",
    car_make: "Mazda",
    car_model: "3",
    bio: "Manual gears, hill starts and the Parramatta test routes.",
    service_areas: [around("Parramatta", 15)],
    custom_fields: { teaches: ["Test preparation"], years_teaching: 21 },
    schedule: [...week("09:00-17:00")],
  },
  {
    name: "Mei Lin",
    gender: "female",
    nationality: "Chinese",
    languages: ["English", "Mandarin", "Cantonese"],
    transmission: "auto",
    car_make: "Kia",
    car_model: "Rio",
    bio: "Lessons in English, Mandarin or Cantonese.",
    service_areas: [around("Chatswood", 12), around("Burwood", 6)],
    custom_fields: { teaches: ["Beginners", "Overseas licences"], years_teaching: 6 },
    schedule: [...week("10:00-14:00", "15:00-19:00"), ...on(7, "10:00-15:00")],
  },
  {
    name: "Samir Haddad",
    gender: "male",
    nationality: "Lebanese",
    languages: ["English", "Arabic"],
    transmission: "both",
    car_make: "Hyundai",
    car_model: "i30",
    bio: "Evenings and weekends, for those who work in the day.",
    service_areas: [around("Bondi", 20)],
    custom_fields: { teaches: ["Overseas licences", "Test preparation"], years_teaching: 12 },
    schedule: [...week("16:00-21:00"), ...on(6, "07:00-19:00"), ...on(7, "07:00-19:00")],
  },
];

const LESSON = { product_type: "service", duration_minutes: 60, tax_rate: 10, price_includes_tax: true };
const COURSES = [
  { ...LESSON, name: "Automatic lesson, 60 minutes", selling_price: 79, transmission: "auto" },
  { ...LESSON, name: "Manual lesson, 60 minutes", selling_price: 84, transmission: "manual" },
  {
    ...LESSON,
    name: "Automatic lesson, 90 minutes",
    selling_price: 112,
    transmission: "auto",
    duration_minutes: 90,
  },
];
const PACKAGE = {
  ...LESSON,
  name: "Five automatic lessons",
  selling_price: 369,
  transmission: "auto",
  is_package: true,
  sessions: 5,
};

/** The student who has bought the package; the same in `credentials.json`'s school from start to start. */
const STUDENT = {
  name: "Mia Chen",
  email: "mia@demo-driving.example",
  phone: "0412 345 678",
  state: "NSW",
  pincode: "2135",
};

/** Fills the driving school: places, instructors with their weeks, courses, and a student with a package. */
export async function fillSchool(api: Api, slug: string): Promise<void> {
  const settings = `/settings/${slug}`;
  await createAll(api, `${settings}/locations`, "location", LOCATIONS);
  await createAll(api, `${settings}/instructor-fields`, "field", FIELDS);
  await createAll(api, `${settings}/instructors`, "instructor", INSTRUCTORS);
  const unit_id = await unitOf(api, slug, "HRS");
  const courses = COURSES.map((course) => ({ ...course, unit_id }));
  const [lesson] = await createAll(api, `/products/${slug}`, "course", courses);
  const bundle = { ...PACKAGE, unit_id, lesson_product_id: lesson };
  await createAll(api, `/products/${slug}`, "bundle", [bundle]);
  const [student] = await createAll(api, `/customers/${slug}`, "student", [STUDENT]);
  await createAll(api, `${settings}/booking-packages`, "package", [
    { customer_id: student, product_id: lesson, name: "Five automatic lessons", sessions_total: 5 },
  ]);
}

function place(name: string, type: string, city: Suburb, operating_hours: string | null) {
  return { name, type, city, state: "NSW", ...SUBURBS[city], operating_hours };
}

function around(suburb: Suburb, radius_km: number) {
  return { suburb, state: "NSW", ...SUBURBS[suburb], radius_km };
}

function week(...windows: string[]): Window[] {
  return WORKDAYS.flatMap((weekday) => on(weekday, ...windows));
}

function on(weekday: number, ...windows: string[]): Window[] {
  return windows.map((window) => {
    const [start = "", end = ""] = window.split("-");
    return { weekday, start, end };
  });
}

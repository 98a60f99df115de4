import { addDays } from "#shared/time/dates.ts";
import type { Api, Data, Key } from "../api.ts";
import { createAll } from "./create-all.ts";

const DEPARTMENTS = ["Sales", "Warehouse", "Accounts"] as const;

type DemoJob = { department: (typeof DEPARTMENTS)[number]; closesIn?: number } & Record<string, unknown>;

const BENGALURU = { city: "Bengaluru", state: "Karnataka", country: "IN", postal_code: "560002" };
const MYSURU = { city: "Mysuru", state: "Karnataka", country: "IN", postal_code: "570001" };

/** Three that take applications, one that is closed, one that is not published yet. */
const JOBS: readonly DemoJob[] = [
  {
    title: "Key account manager",
    department: "Sales",
    workplace_type: "hybrid",
    location: BENGALURU,
    description_html:
      "<p>Look after our <b>school and office</b> customers in Karnataka.</p><ul><li>Quotations and follow-up</li><li>Two days a week on the road</li></ul>",
    requirements_html: "<ul><li>Three years in B2B sales</li><li>Kannada and English</li></ul>",
    skills: ["B2B sales", "Negotiation", "Kannada"],
    experience_min: 3,
    experience_max: 6,
    salary: { min: 600_000, max: 900_000 },
    publish_salary: true,
    closesIn: 45,
  },
  {
    title: "Store keeper",
    department: "Warehouse",
    location: MYSURU,
    description_html: "<p>Receive, count and issue stock. Training on the job.</p>",
    skills: ["Stock keeping", "GST invoices"],
    openings: 2,
    salary: { min: 18_000, max: 24_000, interval: "month" },
    publish_salary: true,
  },
  {
    title: "Accounts intern",
    department: "Accounts",
    employment_type: "intern",
    workplace_type: "remote",
    description_html: "<p>Six months with our accountants: ledgers, GST returns, month-end.</p>",
    skills: ["Spreadsheets"],
    closesIn: 10,
  },
  {
    title: "Delivery driver",
    department: "Warehouse",
    location: BENGALURU,
    description_html: "<p>Deliver within the city. This post is filled.</p>",
    status: "closed",
  },
  {
    title: "Branch manager, Hubballi",
    department: "Sales",
    description_html: "<p>Open our branch in Hubballi.</p>",
    is_published: false,
  },
];

/** Gives the company departments, jobs, and a lead source of its own. */
export async function makeRecruitment(api: Api, slug: string, today: string): Promise<void> {
  const settings = `/settings/${slug}`;
  const departments = DEPARTMENTS.map((name) => ({ name }));
  const ids = await createAll<number>(api, `${settings}/departments`, "department", departments);
  const jobs = JOBS.map(({ department, closesIn, ...job }) => ({
    ...job,
    department_id: ids[DEPARTMENTS.indexOf(department)],
    ...(closesIn === undefined ? {} : { closes_at: addDays(today, closesIn) }),
  }));
  await createAll(api, `${settings}/jobs`, "job", jobs);
  await api.create(`${settings}/lead-sources`, "demo-lead-source", {
    slug: "exhibition",
    name: "Exhibition",
  });
}

/** The key that the server of the company's website signs with. */
export async function openWebsite(api: Api, slug: string): Promise<Key> {
  const scopes = ["job_openings.read", "applications.write", "capture_leads"];
  const key = { name: "Website", type: "secret", scopes };
  const { data } = await api.create<Data<Key>>(`/settings/${slug}/keys`, "demo-website", key);
  return { client_id: data.client_id, client_secret: data.client_secret };
}

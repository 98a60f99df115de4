import { Upload } from "#shared/upload.ts";

export const newJobExample = {
  title: "Service engineer",
  employment_type: "full_time",
  workplace_type: "hybrid",
  location: { city: "Pune", state: "Maharashtra", country: "IN", postal_code: "411030" },
  description_html: "<p>Keep our customers' <b>machines</b> running.</p>",
  skills: ["hydraulics", "PLC"],
  experience_min: 2,
  experience_max: 5,
  openings: 2,
  salary: { min: 480_000, max: 720_000, currency: "INR", interval: "year" },
  publish_salary: true,
  closes_at: "2999-12-31",
};

const { publish_salary, ...shown } = newJobExample;

export const jobExample = {
  ...shown,
  id: 7,
  slug: "service-engineer",
  department: { id: 2, name: "After-sales" },
  employment_type: "full_time" as const,
  workplace_type: "hybrid" as const,
  salary: { ...newJobExample.salary, interval: "year" as const },
  description_text: "Keep our customers' machines running.",
  requirements_html: null,
  posted_at: "2026-11-21T09:30:00.000Z",
  updated_at: "2026-11-21T09:30:00.000Z",
  apply_url: "https://api.example.com/v1/recruitment/acme/jobs/service-engineer/apply",
};

export const jobSettingsExample = {
  ...jobExample,
  publish_salary,
  status: "open" as const,
  is_published: true,
  created_at: "2026-11-21T09:30:00.000Z",
};

export const departmentExample = { id: 2, name: "After-sales", parent_id: null, open_jobs_count: 1 };

export const departmentSettingsExample = {
  id: 2,
  name: "After-sales",
  parent_id: null,
  is_active: true,
  created_at: "2026-11-21T09:30:00.000Z",
  updated_at: "2026-11-21T09:30:00.000Z",
};

export const newApplicationExample = {
  first_name: "Asha",
  last_name: "Kulkarni",
  email: "asha.kulkarni@mail.example",
  phone: "+91 98220 12345",
  resume: new Upload("Asha Kulkarni.pdf", Uint8Array.from(new TextEncoder().encode("%PDF-1.7\n%%EOF\n"))),
  cover_letter: "I have kept presses running for three years.",
  total_experience: "3.5",
  expected_salary: "600000",
  notice_period_days: "30",
  linkedin_url: "https://www.linkedin.com/in/asha-kulkarni",
  skills: '["hydraulics","PLC"]',
  consent: "true",
};

export const receivedExample = {
  id: 31,
  application_number: "APP-2026-00031",
  job: { slug: "service-engineer", title: "Service engineer" },
  status: "received" as const,
  applied_at: "2026-11-22T05:12:40.000Z",
};

export const applicationExample = {
  id: 31,
  application_number: "APP-2026-00031",
  job: { id: 7, slug: "service-engineer", title: "Service engineer" },
  status: "received" as const,
  first_name: "Asha",
  last_name: "Kulkarni",
  email: "asha.kulkarni@mail.example",
  phone: "+91 98220 12345",
  cover_letter: "I have kept presses running for three years.",
  total_experience: 3.5,
  expected_salary: 600_000,
  notice_period_days: 30,
  linkedin_url: "https://www.linkedin.com/in/asha-kulkarni",
  skills: ["hydraulics", "PLC"],
  consent: true,
  is_flagged: false,
  resume: {
    name: "Asha-Kulkarni.pdf",
    content_type: "application/pdf",
    size: 15,
    url: "https://api.example.com/v1/settings/acme/applications/31/resume",
  },
  applied_at: "2026-11-22T05:12:40.000Z",
  updated_at: "2026-11-22T05:12:40.000Z",
};

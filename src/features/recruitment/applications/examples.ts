import { Upload } from "#shared/files/upload.ts";

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
    url: "https://api.example.com/v1/settings/demo-traders/applications/31/resume",
  },
  applied_at: "2026-11-22T05:12:40.000Z",
  updated_at: "2026-11-22T05:12:40.000Z",
};

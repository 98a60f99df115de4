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
  apply_url: "https://api.example.com/v1/recruitment/demo-traders/jobs/service-engineer/apply",
};

export const jobSettingsExample = {
  ...jobExample,
  publish_salary,
  status: "open" as const,
  is_published: true,
  created_at: "2026-11-21T09:30:00.000Z",
};

import { Upload } from "#shared/files/upload.ts";

export const newLeadExample = {
  name: "Rohan Mehta",
  email: "rohan.mehta@mail.example",
  phone: "+91 98980 45678",
  company_name: "Mehta Packaging",
  subject: "Quotation for two presses",
  message: "We need two hydraulic presses by March.",
  source: "website",
  city: "Ahmedabad",
  page_url: "https://www.acme.example/contact",
  attachment: new Upload("drawing.pdf", Uint8Array.from(new TextEncoder().encode("%PDF-1.7\n%%EOF\n"))),
};

export const capturedExample = {
  id: 12,
  lead_number: "LEAD-000012",
  status: "new" as const,
  duplicate: false,
  submission_count: 1,
  created_at: "2026-11-22T05:12:40.000Z",
};

export const leadExample = {
  id: 12,
  lead_number: "LEAD-000012",
  status: "new" as const,
  source: "website",
  name: "Rohan Mehta",
  email: "rohan.mehta@mail.example",
  phone: "+919898045678",
  company_name: "Mehta Packaging",
  job_title: null,
  website: null,
  city: "Ahmedabad",
  state: null,
  country: null,
  pincode: null,
  product_interest: null,
  budget: null,
  submission_count: 1,
  created_at: "2026-11-22T05:12:40.000Z",
  last_submitted_at: "2026-11-22T05:12:40.000Z",
  closed_at: null,
  updated_at: "2026-11-22T05:12:40.000Z",
};

export const submissionExample = {
  id: 15,
  fields: {
    name: "Rohan Mehta",
    email: "rohan.mehta@mail.example",
    message: "We need two hydraulic presses by March.",
  },
  attachment: {
    name: "drawing.pdf",
    content_type: "application/pdf",
    size: 15,
    url: "https://api.example.com/v1/settings/demo-traders/leads/12/submissions/15/attachment",
  },
  submitted_at: "2026-11-22T05:12:40.000Z",
};

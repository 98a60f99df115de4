import { readFileSync } from "node:fs";
import createClient from "openapi-fetch";
import type { paths } from "./client.d.ts";

const given = process.env as Record<"COMPANY" | "CUSTOMER" | "GSTIN" | "JOB" | "RESUME", string>;
const { BASE_URL, CLIENT_ID, CLIENT_SECRET } = process.env;
const client = createClient<paths>({
  baseUrl: BASE_URL,
  headers: { "X-Client-Id": CLIENT_ID, "X-Client-Secret": CLIENT_SECRET },
});
const path = { company: given.COMPANY };

const line = { item_name: "Press", quantity: 1, unit: "NOS", unit_price: 150000.01, tax_rate: 0 };
const body = { customer_id: given.CUSTOMER, items: [line], apply_round_off: false };
const issued = await client.POST("/invoices/{company}", { params: { path }, body });
const id = issued.data?.data.id ?? "";
const read = await client.GET("/invoices/{company}/{id}", { params: { path: { ...path, id } } });
console.log("money", read.data?.data.total_amount);

const page = (cursor?: string | null) =>
  client.GET("/customers/{company}", { params: { path, query: { limit: 1, ...(cursor && { cursor }) } } });
const { data: first } = await page();
const { data: second } = await page(first?.paging.next_cursor);
console.log("pages", first?.data[0]?.name, second?.data[0]?.name);

const customer = { name: "Asha", state: "Karnataka", pincode: "560001", gstin: given.GSTIN };
const create = { params: { path }, body: customer };
const refused = await client.POST("/customers/{company}", {
  ...create,
  body: { ...customer, pincode: "12" },
});
console.log("field", refused.error?.errors?.[0]?.field);
const again = await client.POST("/customers/{company}", create);
console.log("conflict", again.error?.code);

const applied = await client.POST("/recruitment/{company}/jobs/{slug}/apply", {
  params: { path: { ...path, slug: given.JOB } },
  body: { first_name: "Asha", email: "asha@example.com", resume: "resume.pdf" },
  bodySerializer({ resume, ...fields }) {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append("resume", new Blob([readFileSync(given.RESUME)]), resume);
    return form;
  },
});
console.log("file", applied.data?.data.status);

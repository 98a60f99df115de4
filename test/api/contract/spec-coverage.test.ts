import { expect, test } from "vitest";
import { operations } from "../../../src/wiring/operations.ts";

// Every operation of the specification, in its order: method, path, scope, status of success. The scopes of Bookings,
// and the addresses that the specification names without showing them, are of the design.
const SPECIFICATION = `
GET /invoices/{company} invoices:read 200
POST /invoices/{company} invoices:write 201
GET /invoices/{company}/{id} invoices:read 200
PATCH /invoices/{company}/{id} invoices:write 200
POST /invoices/{company}/{id}/void invoices:write 200
POST /invoices/{company}/{id}/send invoices:write 202
GET /customers/{company} customers:read 200
POST /customers/{company} customers:write 201
GET /customers/{company}/{id} customers:read 200
PATCH /customers/{company}/{id} customers:write 200
DELETE /customers/{company}/{id} customers:write 200
GET /products/{company} products:read 200
POST /products/{company} products:write 201
GET /products/{company}/{id} products:read 200
PATCH /products/{company}/{id} products:write 200
POST /products/{company}/{id}/stock-adjustments products:write 201
GET /payments/{company} payments:read 200
POST /payments/{company} payments:write 201
GET /payments/{company}/methods payments:read 200
GET /payments/{company}/{id} payments:read 200
POST /payments/{company}/{id}/refund payments:write 200
POST /messaging/{company}/sms messages:sms:send 202
POST /messaging/{company}/chatapp messages:chatapp:send 202
POST /messaging/{company}/email messages:email:send 202
GET /messaging/{company}/messages/{id} messages:read 200
GET /recruitment/{company}/jobs job_openings.read 200
GET /recruitment/{company}/jobs/{slug} job_openings.read 200
POST /recruitment/{company}/jobs/{slug}/apply applications.write 201
GET /recruitment/{company}/departments job_openings.read 200
POST /leads/{company}/capture capture_leads 200
GET /leads/{company}/sources view_lead_sources 200
GET /storefront/{company}/products storefront 200
GET /storefront/{company}/products/{productId} storefront 200
POST /storefront/{company}/checkout storefront 200
GET /storefront/{company}/order/{orderId} storefront 200
GET /schools/{company}/locations bookings.read 200
GET /schools/{company}/instructors bookings.read 200
GET /schools/{company}/courses bookings.read 200
GET /schools/{company}/availability bookings.read 200
POST /schools/{company}/bookings bookings.write 201
POST /schools/{company}/bookings/{id}/pay bookings.write 200
GET /schools/{company}/bookings/{id} bookings.read 200
GET /schools/{company}/instructor-fields bookings.read 200
GET /projects/{company}/meta projects.read 200
GET /projects/{company}/assignees projects.read 200
GET /projects/{company}/projects projects.read 200
POST /projects/{company}/projects projects.write 201
POST /projects/{company}/projects/{project_id}/work-items projects.write 201
GET /projects/{company}/projects/{project_id}/work-items projects.read 200
GET /projects/{company}/projects/{project_id}/work-items/{id} projects.read 200
PATCH /projects/{company}/projects/{project_id}/work-items/{id} projects.write 200
POST /projects/{company}/projects/{project_id}/work-items/{id}/transition projects.write 200
GET /projects/{company}/projects/{project_id}/work-items/{id}/comments projects.read 200
POST /projects/{company}/projects/{project_id}/work-items/{id}/comments projects.write 201
GET /projects/{company}/projects/{project_id}/iterations projects.read 200
POST /projects/{company}/projects/{project_id}/iterations projects.write 201
PATCH /projects/{company}/projects/{project_id}/iterations/{id} projects.write 200
GET /projects/{company}/projects/{project_id}/areas projects.read 200
POST /projects/{company}/projects/{project_id}/areas projects.write 201
PATCH /projects/{company}/projects/{project_id}/areas/{id} projects.write 200
GET /projects/{company}/projects/{project_id}/milestones projects.read 200
POST /projects/{company}/projects/{project_id}/milestones projects.write 201
PATCH /projects/{company}/projects/{project_id}/milestones/{id} projects.write 200
GET /projects/{company}/projects/{project_id}/sprints projects.read 200
POST /projects/{company}/projects/{project_id}/sprints projects.write 201
GET /projects/{company}/projects/{project_id}/sprints/{id} projects.read 200
PATCH /projects/{company}/projects/{project_id}/sprints/{id} projects.write 200
POST /projects/{company}/projects/{project_id}/sprints/{id}/start projects.write 200
POST /projects/{company}/projects/{project_id}/sprints/{id}/complete projects.write 200
GET /projects/{company}/projects/{project_id}/sprints/{id}/burndown projects.read 200
`
  .trim()
  .split("\n");

const PLANNED = "PATCH /invoices/{company}/{id} invoices:write 200";

/** The line of an operation in the specification's notation; the names of its parameters do not matter. */
function lineOf({ method, path, scope, status }: (typeof operations)[number]): string {
  return nameless(`${method.toUpperCase()} ${path.replace(/:(\w+)/g, "{$1}")} ${scope} ${status}`);
}

const nameless = (line: string) => line.replace(/\{(?!company\})\w+\}/g, "{}");
const table = new Set(operations.map(lineOf));

test("every operation of the specification is in the table, with its scope and its status", () => {
  expect(SPECIFICATION.filter((line) => !table.has(nameless(line)))).toEqual([]);
});

test("the one planned operation is the update of a draft invoice", () => {
  expect(operations.filter(({ planned }) => planned === true).map(lineOf)).toEqual([nameless(PLANNED)]);
});

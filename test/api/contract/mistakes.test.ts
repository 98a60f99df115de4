import { expect, test } from "vitest";
import { type Key, must, openBusy, openCompany } from "../../support/company.ts";
import { connectGateway } from "../../support/gateways.ts";
import mistakes from "../../vectors/mistakes.json" with { type: "json" };

type Mistake = {
  what: string;
  call: string;
  /** Whose key signs the call; without one the company's own, which may all. */
  key?: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** `taken`: the member of the body that another record has. */
  answer: { status: number; code: string; field?: string; taken?: string; says: string };
};

const MISTAKES = mistakes as unknown as Mistake[];
const ADDRESS = { state: "Karnataka", pincode: "560001" };

const company = await openBusy({ state: "Karnataka", gstin: "29AABCR1718E1ZL" });
await connectGateway(company, "razorpay", { currencies: ["INR"] });
/** What `{name}` stands for in addresses and bodies. */
const made: Record<string, string | number> = await makeRecords();
const { admin } = await openCompany();
const reader = await company.key("invoices:read");
const keys: Record<string, Key | null> = {
  none: null,
  reader,
  website: await company.publishableKey("https://shop.example"),
  stranger: admin,
  "reader without secret": { ...reader, client_secret: null },
  "reader with a cut secret": { ...reader, client_secret: "sk_cut" },
  "reader with the stranger's secret": { ...reader, client_secret: admin.client_secret },
};

async function makeRecords() {
  const post = async <Id = string>(path: string, body: object, headers = {}): Promise<Id> =>
    must(await company.call<{ id: Id }>("POST", path, { body, headers }), 201).body.data.id;
  const customer = await post("/customers/:company", { name: "Asha", ...ADDRESS });
  await post("/customers/:company", { name: "First", ...ADDRESS }, { "Idempotency-Key": "used-before" });
  const line = { item_name: "Bottle", quantity: 1, unit: "NOS", unit_price: 100, tax_rate: 18 };
  const invoice = () => post("/invoices/:company", { customer_id: customer, items: [line] });
  const voided = await invoice();
  must(await company.call("POST", `/invoices/:company/${voided}/void`), 200);
  await post("/settings/:company/employees", { name: "Kavya", employee_code: "E-1" });
  const price = { unit_id: "1", selling_price: 100 };
  const bottle = { name: "Bottle", sku: "BOTTLE", ...price, track_stock: true, opening_stock: 3 };
  const lesson = { ...price, name: "Lesson", selling_price: 75, duration_minutes: 60, transmission: "auto" };
  const windows = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, start: "09:00", end: "17:00" }));
  const priya = { name: "Priya", transmission: "both", schedule: windows };
  const product = await post("/products/:company", bottle);
  const project = await post<number>("/projects/:company/projects", { name: "Shop" });
  return {
    customer,
    voided,
    project,
    product,
    "product as number": Number(product),
    invoice: await invoice(),
    item: await post<number>(`/projects/:company/projects/${project}/work-items`, {
      title: "Pay",
      type: "task",
    }),
    instructor: Number(await post("/settings/:company/instructors", priya)),
    course: Number(await post("/products/:company", lesson)),
  };
}

test.each(MISTAKES)("$what: the answer says what to do", async ({ call, key, headers, body, answer }) => {
  const [method = "", path = ""] = call.split(" ");
  const { status, body: said } = await company.call(method, filledText(path), {
    ...(key === undefined ? {} : { key: keys[key] ?? null }),
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body: filled(body) }),
    base: "",
  });
  expect({ status, code: said.code }, said.message).toEqual({ status: answer.status, code: answer.code });
  expect(said.message).toContain(answer.says);
  if (answer.taken !== undefined) expect(said).toMatchObject({ field: answer.taken });
  if (answer.field !== undefined) expect(said.errors.map(({ field }) => field)).toContain(answer.field);
});

test("there are a hundred of them, no two alike", () => {
  expect(MISTAKES.length).toBeGreaterThanOrEqual(100);
  expect(new Set(MISTAKES.map(({ what }) => what)).size).toBe(MISTAKES.length);
  expect(new Set(MISTAKES.map(({ what: _, ...mistake }) => JSON.stringify(mistake))).size).toBe(
    MISTAKES.length,
  );
});

test("a 401 says by WWW-Authenticate which credentials are wanted", async () => {
  const wanted = async (path: string) =>
    (await company.call("GET", path, { base: "", key: null })).headers.get("WWW-Authenticate");
  expect(await wanted("/v1/invoices/:company")).toMatch(/^ApiKey .*X-Client-Id X-Client-Secret/);
  expect(await wanted("/platform/companies")).toMatch(/^Bearer /);
});

test("what an address asks in vain is listed in X-Ignored-Parameters", async () => {
  const ignored = async (path: string) =>
    (await company.call("GET", path)).headers.get("X-Ignored-Parameters");
  expect(await ignored("/schools/:company/locations?subrub=x&utm_source=mail")).toBe("subrub");
  expect(await ignored(`/customers/:company/${made.customer}?expand=invoices`)).toBe("expand");
  expect(await ignored("/schools/:company/locations")).toBeNull();
});

/** A body with what was made in place of each text that is one name alone. */
function filled(value: unknown): unknown {
  if (typeof value === "string") return made[/^\{(.+)\}$/.exec(value)?.[1] ?? ""] ?? value;
  if (Array.isArray(value)) return value.map(filled);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member)]));
}

function filledText(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => String(made[name]));
}

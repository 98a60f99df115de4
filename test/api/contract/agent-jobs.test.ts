import { expect, test } from "vitest";
import { must, openCompany } from "#test/company.ts";
import { connectGateway } from "#test/gateways.ts";
import { connectMessaging, FROM_OUTSIDE } from "#test/messages.ts";
import { line, newCustomer, newInvoice, REGISTERED } from "../../features/commerce.ts";
import { newProduct, today } from "../../features/money.ts";
import { daysAhead, everyDay, newCourse, newInstructor } from "../../features/school.ts";
import { bought } from "../../features/storefront/shop.ts";
import { agentOf } from "./agent.ts";
import { jobsOf, type Step } from "./agent-jobs.ts";

type Agent = Awaited<ReturnType<typeof agentOf>>;

const LETTERS_A_TOKEN = 4;
// At 74a551ba an earlier form of this test counted 102,246.
const MOST_TOKENS = 32_000;
const INVOICES = 28;
const OF_ONE = 4;

/** A company with 28 unpaid invoices, goods, an order, lessons, a project, a lead and a message; and their ids. */
async function busyCompany() {
  const company = await openCompany(REGISTERED);
  await connectMessaging(company, "sms", "msg91", { auth_key: "test-key" });
  await FROM_OUTSIDE["/messaging/:company/inbound"]?.(company);
  const customer = await newCustomer(company, { name: "Meera Traders", email: "accounts@meera.example" });
  const invoices: string[] = [];
  while (invoices.length < INVOICES) {
    const buyer = invoices.length < OF_ONE ? customer : await newCustomer(company);
    invoices.push((await newInvoice(company, buyer.id, { items: [line, line] })).id);
  }
  const lead = { name: "Rohan Mehta", email: "rohan.mehta@mail.example", message: "We need two presses." };
  const captured = await company.call<{ id: number }>("POST", "/leads/:company/capture", { body: lead });
  const shop = { company, connected: await connectGateway(company, "razorpay") };
  const [invoice = ""] = invoices;
  const records = {
    customer: customer.id,
    invoice,
    product: (await newProduct(company, { name: "Press", selling_price: 100 })).id,
    instructor: (await newInstructor(company, { schedule: everyDay("09:00-17:00") })).id,
    course: await newCourse(company),
    project: (
      await company.make<{ id: number }>("/projects/:company/projects", { name: "Shop", code: "SHOP" })
    ).id,
    lead: must(captured, 200).body.data.id,
    order: (await bought(shop)).order.order_id,
    ...{ today: today(), later: daysAhead(3) },
  };
  return { company, records };
}

/** Does a job as an agent does, and gives the letters of all that it read: the list of tools, and each answer of a tool. */
async function lettersOf({ client, read }: Agent, slug: string, steps: readonly Step[]): Promise<number> {
  const { tools } = await client.listTools();
  let all = JSON.stringify(tools);
  const reading = async (name: string, args: Record<string, unknown>) => {
    const { isError, text } = await read(name, args);
    expect(isError, text).toBe(false);
    all += text;
    return text;
  };
  let found = "";
  for (const [sought, operation, call, fields] of steps) {
    if (!found.includes(`"${operation}"`)) found += await reading("find_operations", { text: sought });
    if (!found.includes(`"${operation}"`)) found += await reading("find_operations", {});
    await reading("describe_operation", { operation });
    const path = { company: slug, ...call.path };
    const picked = fields !== undefined && { fields: fields.split(" ") };
    await reading("call_operation", { operation, ...call, path, ...picked });
  }
  return all.length;
}

test("ten everyday jobs of an agent take less than a third of the tokens of the release before", async () => {
  const { company, records } = await busyCompany();
  const agent = await agentOf(company.url, company.admin);
  let letters = 0;
  for (const steps of Object.values(jobsOf(records))) letters += await lettersOf(agent, company.slug, steps);
  await agent.client.close();
  expect(letters / LETTERS_A_TOKEN).toBeLessThan(MOST_TOKENS);
});

import { expect, it } from "vitest";
import { findFreePort } from "../../src/sandbox/database-server/free-port.ts";
import { startReadmeReceiver } from "../support/readme-receiver.ts";
import {
  exitCode,
  expectFreePorts,
  paste,
  place,
  printedCalls,
  readCredentials,
  signed,
  start,
  usePlace,
} from "./started.ts";

await usePlace();

type Arrival = { number: number; type: string; name: string; signature: string; attempt: number };

/** The events of new customers that the receiver of this start got, newest first. */
async function arrived(): Promise<Arrival[]> {
  const answer = await fetch(`http://localhost:${place.sandboxPort}/webhooks`);
  const { data } = JSON.parse(await answer.text()) as { data: Arrival[] };
  return data.filter(({ type }) => type === "customer.created");
}

/** Those of the demo company's own endpoint. */
const arrivedThere = async () => (await arrived()).filter(({ name }) => name === "demo-traders");

it("the demo company's events arrive signed at npm start's own receiver, and README's takes them", {
  timeout: 300_000,
}, async () => {
  const { child, output } = await start();
  expect(output).toContain(`http://localhost:${place.sandboxPort}/webhooks-page`);
  const page = await fetch(`http://localhost:${place.sandboxPort}/webhooks-page`);
  expect(await page.text()).toContain("<h1>Webhooks");
  const [, createCustomer = ""] = printedCalls(output);
  await paste(createCustomer);
  const delivered = { name: "demo-traders", signature: "valid", attempt: 1, answer: 200 };
  await expect.poll(arrived, { timeout: 20_000 }).toMatchObject([delivered]);

  const [{ number } = { number: 0 }] = await arrived();
  const whole = await fetch(`http://localhost:${place.sandboxPort}/webhooks/${number}`);
  const { headers, body } = JSON.parse(await whole.text()).data;
  expect(JSON.parse(body)).toMatchObject({ company: "demo-traders", data: { name: "Meera Traders" } });
  const { webhook_secrets: secrets } = await readCredentials();
  const webhookHeaders = Object.entries<string>(headers).filter(([name]) => name.startsWith("webhook-"));
  {
    using readme = await startReadmeReceiver(secrets["demo-traders"]);
    expect((await fetch(readme.url, { method: "POST", headers: webhookHeaders, body })).status).toBe(204);
    await expect.poll(() => readme.told).toContain("customer.created 13");
  }

  // As README has it: an endpoint of one's own, whose receiver listens at a port of this machine.
  const own = await findFreePort();
  const { base_url, secret_key } = await readCredentials();
  const issued = await fetch(`${base_url}/settings/demo-traders/event-endpoints`, {
    method: "POST",
    headers: signed(secret_key),
    body: JSON.stringify({
      url: `http://localhost:${place.sandboxPort}/webhooks/${own}`,
      types: ["customer.created"],
    }),
  });
  const { data: endpoint } = JSON.parse(await issued.text());
  {
    using readme = await startReadmeReceiver(endpoint.secret, own);
    await paste(createCustomer);
    const passedOn = { name: String(own), signature: "unknown", answer: 204 };
    await expect.poll(arrived, { timeout: 20_000 }).toContainEqual(expect.objectContaining(passedOn));
    expect(readme.told).toContain("customer.created 14");
  }
  const removed = await fetch(`${base_url}/settings/demo-traders/event-endpoints/${endpoint.id}`, {
    method: "DELETE",
    headers: signed(secret_key),
  });
  expect(removed.ok).toBe(true);

  // A failure is seen, and the event comes again.
  const answers = `http://localhost:${place.sandboxPort}/webhooks-page/demo-traders/answers`;
  await fetch(answers, { method: "POST", body: JSON.stringify({ answer: "500", times: 1 }) });
  await paste(createCustomer);
  const again = [
    { ...delivered, attempt: 2 },
    { ...delivered, answer: 500 },
  ];
  await expect.poll(arrivedThere, { timeout: 60_000 }).toMatchObject([...again, delivered, delivered]);
  child.kill("SIGINT");
  await expectFreePorts();
  await exitCode(child);

  // At another port too, with the secret of the first start.
  place.sandboxPort = await findFreePort();
  const second = await start();
  expect((await readCredentials()).webhook_secrets).toEqual(secrets);
  await paste(printedCalls(second.output)[1] ?? "");
  await expect.poll(arrived, { timeout: 20_000 }).toMatchObject([delivered]);
  second.child.kill("SIGINT");
  await expectFreePorts();
});

import { expect, test } from "vitest";
import { tally } from "../features/money.ts";
import { openCompany } from "../support/company.ts";
import { type Answer, randomAddress, send } from "../support/http.ts";

test("one address may send a company 1,200 events a minute; another address or company is not concerned", async () => {
  const [company, neighbour] = await Promise.all([openCompany(), openCompany()]);
  const post = (address: string, { slug } = company) =>
    send("POST", `/v1/storefront/${slug}/webhook/bitcoin`, {
      body: {},
      headers: { "CF-Connecting-IP": address },
    });
  const [address, other] = [randomAddress(), randomAddress()];
  const answers: Answer[] = [];
  while (answers.length < 1_250)
    answers.push(...(await Promise.all(Array.from({ length: 50 }, () => post(address)))));
  expect(tally(answers)).toEqual({ 404: 1_200, 429: 50 });
  expect(Number(answers.at(-1)?.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect((await post(other)).status).toBe(404);
  // As a gateway's, whose callbacks about all companies come from one address.
  expect((await post(address, neighbour)).status).toBe(404);
});

test("failed credentials of no known key are counted by address: 600 a minute", async () => {
  const company = await openCompany();
  const headers = { "CF-Connecting-IP": randomAddress() };
  const key = { client_id: "ck_short", client_secret: "x" };
  const call = () => company.call("GET", "/customers/:company", { key, headers });
  const answers = await Promise.all(Array.from({ length: 620 }, call));
  expect(tally(answers)).toEqual({ 401: 600, 429: 20 });
});

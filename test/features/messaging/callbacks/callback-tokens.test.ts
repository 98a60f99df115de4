import { describe, expect, test } from "vitest";
import { must, openCompany } from "../../../support/company.ts";
import { CONFIGS, type Provider } from "../provider.ts";

const PROVIDERS = "/settings/:company/messaging-providers";
const TOKEN = /\/([\w-]{43})$/;

const company = await openCompany();

const make = (body: unknown) => company.make<Provider>(PROVIDERS, body);
const rotate = (id: string, overlap_seconds: number) =>
  company.call<Provider>("POST", `${PROVIDERS}/${id}/rotate`, { body: { overlap_seconds } });
const tokenOf = (url: string) => TOKEN.exec(url)?.[1] ?? "";

/** How a callback at this address is answered: 404 where its token counts no more. */
async function statusAt(url: string): Promise<number> {
  const { pathname } = new URL(url);
  const body = JSON.stringify({ id: "none", status: "delivered" });
  const answer = await fetch(company.url + pathname, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
  });
  return answer.status;
}

describe("the address at which a provider calls back", () => {
  test("is shown whole when it is made, and to every reader only with the last four of its token", async () => {
    const made = await make(CONFIGS["http-sms"]());
    const token = tokenOf(made.callback_url);
    expect(token).toHaveLength(43);
    const reader = await company.key("settings:read");
    const answers = [
      await company.call("GET", PROVIDERS, { key: reader }),
      await company.call("GET", `${PROVIDERS}/${made.id}`, { key: reader }),
      await company.call("GET", `${PROVIDERS}/${made.id}`),
      await company.call("PATCH", `${PROVIDERS}/${made.id}`, { body: { is_active: true } }),
    ];
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(text).not.toContain(token);
      expect(text).toContain(`/...${token.slice(-4)}"`);
    }
  });

  test("is replaced by a rotation, which shows the new one once; the old one works for the overlap", async () => {
    const own = await openCompany();
    const made = await own.make<Provider>(PROVIDERS, CONFIGS["http-sms"]());
    const path = `${PROVIDERS}/${made.id}/rotate`;
    const turned = must(await own.call<Provider>("POST", path, { body: { overlap_seconds: 3_600 } }), 200);
    const fresh = turned.body.data.callback_url;
    expect(tokenOf(fresh)).toHaveLength(43);
    expect(fresh).not.toBe(made.callback_url);
    expect(await Promise.all([made.callback_url, fresh].map(statusAt))).toEqual([200, 200]);
    await own.clock(3_630);
    expect(await Promise.all([made.callback_url, fresh].map(statusAt))).toEqual([404, 200]);
    const last = must(await own.call<Provider>("POST", path, { body: { overlap_seconds: 0 } }), 200);
    const urls = [made.callback_url, fresh, last.body.data.callback_url];
    expect(await Promise.all(urls.map(statusAt))).toEqual([404, 404, 200]);
  });

  test("is not rotated where it has no token", async () => {
    const made = await make(CONFIGS["http-sms"]());
    const chatapp = await make(CONFIGS.meta());
    expect((await rotate(chatapp.id, 0)).status).toBe(404);
    expect((await rotate(made.id, 60)).body.errors).toMatchObject([{ field: "overlap_seconds" }]);
  });
});

test("of a secret too short to keep four characters from a reader nothing is shown", async () => {
  const body = {
    channel: "sms",
    kind: "http",
    config: { url: "https://sms.example.com/", token: "abcd1234" },
  };
  const made = await make(body);
  expect(made.config.token).toEqual({ configured: true, last_four: "" });
  const gateway = {
    kind: "razorpay",
    mode: "test",
    credentials: { key_id: "rzp_test_1", key_secret: "abcd" },
    webhook_secret: "a-longer-secret",
  };
  expect(await company.make("/settings/:company/payment-gateways", gateway)).toMatchObject({
    credentials: { key_id: { last_four: "st_1" }, key_secret: { configured: true, last_four: "" } },
    webhook_secret: { last_four: "cret" },
  });
});

import { randomInt } from "node:crypto";
import { must, type TestCompany } from "./company.ts";
import { send } from "./http.ts";

/** Records that come from outside, by their path, and how one comes; gives its id. */
export const FROM_OUTSIDE: Record<string, (company: TestCompany) => Promise<string>> = {
  "/messaging/:company/inbound": writeToCompany,
};
/** The records of operations that take one in a state of its own, by the operation, and how one is made; gives its id. */
export const IN_A_STATE: Record<string, (company: TestCompany) => Promise<string>> = {
  cancelMessage: (company) =>
    messageFor(company, { send_at: new Date(Date.now() + 86_400_000).toISOString() }),
  resendMessage: async (company) => {
    const to = `nobody-${randomInt(1e12)}@example.com`;
    must(await company.call("POST", "/settings/:company/suppressions", { body: { email: to } }), 201);
    return messageFor(company, { to });
  },
};
/** Gives the company a provider of a channel. */
export async function connectMessaging(company: TestCompany, channel: string, kind: string, config: object) {
  const body = { channel, kind, config };
  must(await company.call("POST", "/settings/:company/messaging-providers", { body }), 201);
}

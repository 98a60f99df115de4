import { createHmac } from "node:crypto";
import { expect } from "vitest";
import type { TestCompany } from "../../../support/company.ts";
import { type Answer, send } from "../../../support/http.ts";
import { CHATAPP_APP_SECRET } from "../../../support/service.ts";
import { accepted, arrived, newNumber, type Provider, readMessage, sendChatapp } from "../provider.ts";

export const CALLBACK = "/v1/webhooks/chatapp";
export const SECONDS = Math.floor(Date.parse("2026-11-21T10:00:00Z") / 1_000);

type Status = {
  id: string;
  status: string;
  timestamp?: string;
  data?: string | undefined;
  errors?: object[];
};
type Change = { number: string; statuses?: Status[]; messages?: object[] };

/** A callback's body, as the chat-app writes it. */
export function bodyOf(...changes: Change[]): string {
  const entry = changes.map(({ number, statuses = [], messages }) => ({
    id: "1",
    changes: [
      {
        field: "messages",
        value: {
          messaging_product: "whatsapp",
          metadata: { display_phone_number: "1", phone_number_id: number },
          statuses: statuses.map(({ data, ...status }) => ({
            timestamp: String(SECONDS),
            recipient_id: "1",
            ...status,
            ...(data === undefined ? {} : { biz_opaque_callback_data: data }),
          })),
          ...(messages === undefined ? {} : { messages }),
        },
      },
    ],
  }));
  return JSON.stringify({ object: "whatsapp_business_account", entry });
}

/** Sends a callback, signed with a secret. */
export function post(body: string, secret = CHATAPP_APP_SECRET, signed = body): Promise<Answer> {
  const signature = createHmac("sha256", secret).update(signed).digest("hex");
  return send("POST", CALLBACK, { body, headers: { "X-Hub-Signature-256": `sha256=${signature}` } });
}

/** A chat-app message that its provider has, under the id that is given back. */
export async function sent(company: TestCompany): Promise<{ id: string; wamid: string; reference: string }> {
  const to = newNumber();
  const id = accepted(await sendChatapp(company, { to }));
  await expect.poll(async () => (await readMessage(company, id)).provider_message_id).not.toBeNull();
  const message = await arrived(to);
  return { id, wamid: message.id, reference: message.reference ?? "" };
}

export const numberOf = ({ config }: Provider) => String(config.phone_number_id);

/** How many events wait for a message that its provider names so. */
export async function unmatched(of: TestCompany, id: string): Promise<unknown> {
  const sql = "SELECT count(*) AS n FROM provider_events_unmatched WHERE provider_message_id = ?";
  return (await of.rows(sql, id))[0]?.n;
}

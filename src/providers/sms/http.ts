import * as z from "zod";
import { inboundText } from "#providers/delivery";
import { publicUrl } from "#shared/network/public-url.ts";
import { registration, secret } from "../account-fields.ts";
import { jsonOf } from "../callback-fields.ts";
import { textAt, wordAt } from "../json.ts";
import { ask } from "../message-request.ts";
import type { ProviderKind } from "../provider-kind.ts";
import type { Sms } from "./content.ts";
import { delivered, notEnded, reasonOf, undelivered } from "./reasons.ts";

const config = z.object({ url: publicUrl, token: secret.optional(), ...registration });
type Config = z.infer<typeof config>;

/** Any gateway that takes JSON, honours `Idempotency-Key`, and answers `{id}`. */
export const http: ProviderKind<Config, Sms> = {
  config,
  secrets: ["token"],
  deduplicates: true,

  send: (services, { url, token }, sms) =>
    ask(
      {
        url: services.addressOf("http-sms", url),
        headers: {
          "Idempotency-Key": sms.reference,
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        },
        body: {
          to: sms.to,
          message: sms.text,
          sender_id: sms.senderId,
          template_id: sms.templateId,
          pe_id: sms.peId,
          type: sms.type,
          reference: sms.reference,
          callback_url: sms.callbackUrl,
        },
      },
      ({ status, json }) => (status < 300 ? { kind: "accepted", id: wordAt(json, "id") || null } : undefined),
    ),

  receive: async (callback) => {
    const report = jsonOf(callback);
    const from = wordAt(report, "from");
    if (from !== "") {
      const more = { id: wordAt(report, "id") || null, to: wordAt(report, "to") || null };
      const answered = { replyTo: textAt(report, "reply_to") };
      return { inbound: [inboundText(from, wordAt(report, "text"), { ...more, ...answered })] };
    }
    const id = wordAt(report, "id");
    const reference = wordAt(report, "reference") || null;
    if (id === "" && reference === null) return { unread: "form" };
    const status = wordAt(report, "status");
    if (status === "delivered") return { receipts: [delivered(id, reference)] };
    if (status !== "failed" && status !== "rejected") return notEnded(status);
    const reason = reasonOf(wordAt(report, "code"), wordAt(report, "message"));
    return { receipts: [{ ...undelivered(id, reference, reason), status }] };
  },
};

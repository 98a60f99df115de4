import * as z from "zod";
import { inboundText, type Receipt, refused, type SendResult } from "#providers/delivery";
import { needsUnicode } from "#shared/contact/sms-alphabet.ts";
import { parsed } from "#shared/json.ts";
import { identifier, registration, secret } from "../account-fields.ts";
import { fieldsOf } from "../callback-fields.ts";
import { at, wordAt } from "../json.ts";
import { ask } from "../message-request.ts";
import type { ProviderKind } from "../provider-kind.ts";
import type { Sms } from "./content.ts";
import { delivered, notEnded, reasonOf, undelivered } from "./reasons.ts";

const config = z.object({
  auth_key: secret.meta({ description: "The account's authentication key." }),
  country: z
    .string()
    .regex(/^\d{1,3}$/, "must be a calling code")
    .default("91"),
  route_name: identifier.optional(),
  ...registration,
});
type Config = z.infer<typeof config>;

const TRANSACTIONAL = "4";
const PROMOTIONAL = "1";
// A wrong or missing key, an address that is not on the key's list.
const AUTH_CODES = new Set(["101", "106", "201", "207", "209", "301", "302", "418"]);
const DELIVERED = new Set(["1", "delivered"]);
// 1 delivered, 2 failed, 9 on the do-not-disturb list, 16 and 25 rejected, 17 blocked.
const FAILED: Record<string, string> = {
  2: "failed",
  9: "DND",
  16: "rejected",
  17: "blocked",
  25: "rejected",
};

export const msg91: ProviderKind<Config, Sms> = {
  config,
  secrets: ["auth_key"],
  deduplicates: false,

  send: (services, { auth_key, country, route_name }, sms) =>
    ask(
      {
        url: `${services.addressOf("msg91", "https://api.msg91.com")}/api/v2/sendsms`,
        headers: { authkey: auth_key },
        body: {
          sender: sms.senderId ?? "",
          route: route_name ?? (sms.type === "promotional" ? PROMOTIONAL : TRANSACTIONAL),
          country,
          unicode: needsUnicode(sms.text) ? "1" : "0",
          ...(sms.templateId === null ? {} : { DLT_TE_ID: sms.templateId }),
          ...(sms.peId === null ? {} : { DLT_PE_ID: sms.peId }),
          sms: [{ message: sms.text, to: [sms.to] }],
        },
      },
      ({ status, json }) => read(status, json),
    ),

  receive: async (callback) => {
    const fields = fieldsOf(callback);
    const from = wordAt(fields, "sender");
    const text = wordAt(fields, "message");
    const to = wordAt(fields, "receiver") || null;
    if (from !== "" && text !== "") return { inbound: [inboundText(from, text, { to })] };
    const reports = reportsOf(fields).filter(({ id }) => id !== "");
    const receipts = reports.flatMap(receiptOf);
    return receipts.length > 0 ? { receipts } : notEnded(statusOf(reports[0]?.report));
  },
};

function read(status: number, json: unknown): SendResult | undefined {
  const id = wordAt(json, "message");
  const code = wordAt(json, "code");
  if (status < 300 && at(json, "type") === "success") return { kind: "accepted", id: id || null };
  // An error comes with status 200 as well as with 4xx.
  if (at(json, "type") !== "error" || status >= 500 || status === 429) return undefined;
  if (AUTH_CODES.has(code)) return refused("provider_auth", id, code);
  return refused(/mobile|number/i.test(id) ? "invalid_recipient" : "provider_rejected", id, code);
}

type Report = { id: string; report: unknown };

/** Version 2 posts a form whose `data` is a JSON list of reports by request; later ones post one flat report. */
function reportsOf(fields: Record<string, unknown>): Report[] {
  const requests = parsed(fields.data);
  if (!Array.isArray(requests))
    return [{ id: wordAt(fields, "requestId") || wordAt(fields, "request_id"), report: fields }];
  return requests.flatMap((request) => {
    const reports = at(request, "report");
    const id = wordAt(request, "requestId");
    return Array.isArray(reports) ? reports.map((report) => ({ id, report })) : [];
  });
}

function statusOf(report: unknown): string {
  return wordAt(report, "status").toLowerCase();
}

function receiptOf({ id, report }: Report): Receipt[] {
  const status = statusOf(report);
  const words = [wordAt(report, "desc"), wordAt(report, "failedReason"), wordAt(report, "failure_reason")];
  const told = words.filter((word) => word !== "").join(": ");
  if (DELIVERED.has(status)) return [delivered(id, null)];
  const failed =
    FAILED[status] ?? (/fail|reject|block|ndnc|undeliv|expired|invalid/.test(status) ? status : undefined);
  if (failed === undefined) return [];
  const [code = ""] = /\b\d{3,5}\b/.exec(told) ?? [];
  return [undelivered(id, null, reasonOf(code || status, `${failed} ${told}`.trim()))];
}

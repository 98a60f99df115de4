import * as z from "zod";
import { moneyToWire, percentToWire, priceToWire, quantityToWire, rateToWire } from "./fields/numbers.ts";
import { timestampToWire } from "./time/dates.ts";

const Value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).nullable();

export const AuditEntry = z
  .object({
    id: z.string(),
    at: z.string().describe("When the call was made."),
    actor: z.string().meta({
      description: "The client id of the key, or what acted without one: `platform`, `page`, `mail_link`.",
    }),
    action: z.string().meta({ description: "The operation's id." }),
    record: z.string().meta({ description: "The id of the record it acted on." }),
    request_id: z.string().describe("Of the call, as its `X-Request-Id`."),
    note: z.string().nullable().meta({ description: "What the author of the change said of it." }),
    changed: z
      .array(z.string())
      .nullable()
      .meta({ description: "The names of the fields that an update changed; null for what is no update." }),
    values: z
      .array(
        z.object({
          field: z.string(),
          from: Value.meta({ description: "What it was." }),
          to: Value.meta({ description: "What it became." }),
        }),
      )
      .describe(
        "What the changed fields were and became: numbers, flags, words of a list, dates and ids; texts of products, payment modes, SMS templates, the books and the company's profile. Other texts may be of persons or secret, and long ones are large: their names in `changed` say all. A key sees the values of records that its scopes let it read.",
      ),
  })
  .meta({ id: "AuditEntry" });

/** How the log keeps a member's values: what kind they are as stored, and the scope that reads the record. */
export type Audited = { kind: string; reads: string };
type Kept = Audited & { from: never; to: never };

export type AuditRow = {
  id: number;
  at: number;
  actor: string;
  action: string;
  record: string;
  requestId: string;
  note: string | null;
  changed: string[] | null;
  kept: Record<string, Kept> | null;
};

const TO_WIRE: Record<string, (stored: never) => z.infer<typeof Value>> = {
  flag: (stored) => Boolean(stored),
  id: String,
  instant: timestampToWire,
  money: moneyToWire,
  unit_price: priceToWire,
  quantity: quantityToWire,
  percent: percentToWire,
  exchange_rate: rateToWire,
};

type Reader = { client: { holds: (scope: string) => boolean } };

/** A row of an audit log as the wire has it, to a key that may not read every record. */
export function renderAudit(
  { id, at, actor, action, record, requestId, kept, ...row }: AuditRow,
  { client }: Reader,
) {
  const values = Object.entries(kept ?? {})
    .filter(([, { reads }]) => client.holds(reads))
    .map(([field, { kind, from, to }]) => ({ field, from: wireOf(kind, from), to: wireOf(kind, to) }));
  const call = { actor, action, record, request_id: requestId };
  return { id: String(id), at: timestampToWire(at), ...call, ...row, values };
}

function wireOf(kind: string, stored: never): z.infer<typeof Value> {
  const toWire = TO_WIRE[kind];
  return stored === null || toWire === undefined ? stored : toWire(stored);
}

import * as z from "zod";
import { timestampToWire } from "./time/dates.ts";

export const AuditEntry = z
  .object({
    id: z.string(),
    at: z.string(),
    actor: z.string().meta({ description: "The client id of the key, or `platform`." }),
    action: z.string().meta({ description: "The operation's id." }),
    record: z.string().meta({ description: "The id of the record it acted on." }),
    request_id: z.string(),
    note: z.string().nullable().meta({ description: "What the author of the change said of it." }),
    changed: z
      .array(z.string())
      .nullable()
      .meta({ description: "The names of the fields that an update changed; null for what is no update." }),
  })
  .meta({ id: "AuditEntry" });

export type AuditRow = {
  id: number;
  at: number;
  actor: string;
  action: string;
  record: string;
  requestId: string;
  note: string | null;
  changed: string[] | null;
};

/** A row of an audit log as the wire has it. */
export function renderAudit({ id, at, actor, action, record, requestId, ...row }: AuditRow) {
  return { id: String(id), at: timestampToWire(at), actor, action, record, request_id: requestId, ...row };
}

export const auditExample = {
  id: "88",
  at: "2026-11-21T09:31:00.000Z",
  actor: "ck_7Hq2Zr9TnB4mWx5LsK8dPa",
  action: "createInvoice",
  record: "7",
  request_id: "req_01M7Y4V5F114XZY9FJTGAXGP6Z",
  note: null,
  changed: null,
};

import type { Ctx } from "#core/context.ts";
import { sweepFiles } from "#core/files/with-file.ts";
import { chainAuditLog } from "#core/write/audit-chain.ts";
import { eraseOldAuditRows } from "#core/write/audit-retention.ts";
import { hashErasedIds } from "#core/write/erased-external-ids.ts";
import { purgeOperations } from "#core/write/purge-operations.ts";
import { forgetOldEvents } from "#features/events";
import { eraseAbandonedPayments } from "#features/gateway-payments";
import { eraseOldLeads } from "#features/leads";
import { postAllMissing } from "#features/ledger";
import { earnLessons } from "#features/lessons";
import { convertRecords } from "#features/money-moves";
import { eraseOldApplications } from "#features/recruitment";
import { eraseAbandonedOrders } from "#features/storefront";
import { PAPERS } from "#integrity/papers.ts";
import { hashErasedContacts } from "../features/messaging/contacts/erase.ts";
import { purgeInbound } from "../features/messaging/inbox/purge-inbound.ts";
import { purgeMessages } from "../features/messaging/retention/purge-messages.ts";
import { forgetNotifications } from "../features/notifications/forget.ts";
import { COMPANY_FILES } from "./files.ts";

/** Gives true where it has something to do in the next hours. */
type HourlyJob = (ctx: Ctx) => Promise<unknown>;

/** What is done for a company each hour, or each day while it is at rest, after all that is due in it; each may run again. */
const HOURLY_JOBS: readonly HourlyJob[] = [
  (ctx) => purgeOperations(ctx.database, ctx.now),
  hashErasedContacts,
  purgeMessages,
  purgeInbound,
  forgetOldEvents,
  forgetNotifications,
  postAllMissing,
  earnLessons,
  convertRecords,
  eraseOldApplications,
  eraseOldLeads,
  eraseAbandonedPayments,
  eraseAbandonedOrders,
  // After those that erase.
  hashErasedIds,
  (ctx) => chainAuditLog(ctx, PAPERS),
  eraseOldAuditRows,
  ...COMPANY_FILES.map((files) => (ctx: Ctx) => sweepFiles(ctx, files)),
];

/**
 * Runs a company's hourly jobs, after `first`. One that fails stops none of the others; the first failure is thrown at
 * the end. Gives whether the company is at rest: none of them has something to do in the next hours.
 */
export async function runHourlyJobs(ctx: Ctx, first: readonly HourlyJob[]): Promise<boolean> {
  const failures: unknown[] = [];
  let isAtRest = true;
  // They purge hundreds of rows at once, for which no call's write is to wait in one transaction.
  const alone = { ...ctx, database: ctx.database.alone };
  for (const job of [...first, ...HOURLY_JOBS])
    await job(alone).then(
      (hasMore) => {
        if (hasMore === true) isAtRest = false;
      },
      (error) => failures.push(error),
    );
  if (failures.length > 0) throw failures[0];
  return isAtRest;
}

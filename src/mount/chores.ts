import { giveTokens } from "#features/bookings";
import { forgetOldEvents } from "#features/events";
import { eraseAbandonedPayments } from "#features/gateway-payments";
import { eraseOldLeads, sweepAttachments } from "#features/leads";
import { eraseOldApplications, sweepResumes } from "#features/recruitment";
import { eraseAbandonedOrders } from "#features/storefront";
import type { Ctx } from "#platform/context.ts";
import { chainAuditLog } from "#platform/write/audit-chain.ts";
import { eraseOldAuditRows } from "#platform/write/audit-retention.ts";
import { purgeOperations } from "#platform/write/purge-operations.ts";
import { completeOptouts } from "../features/messaging/contacts/complete-optouts.ts";
import { markErasedContacts } from "../features/messaging/contacts/erase.ts";
import { purgeInbound } from "../features/messaging/inbox/purge-inbound.ts";
import { purgeMessages } from "../features/messaging/retention/purge-messages.ts";
import { forgetNotifications } from "../features/notifications/forget.ts";

type Chore = (ctx: Ctx) => Promise<unknown>;

/** What is done for a company each hour, after all that is due in it; each may run again. */
const CHORES: readonly Chore[] = [
  (ctx) => purgeOperations(ctx.database, ctx.now),
  completeOptouts,
  markErasedContacts,
  purgeMessages,
  purgeInbound,
  forgetOldEvents,
  forgetNotifications,
  giveTokens,
  eraseOldApplications,
  eraseOldLeads,
  eraseAbandonedPayments,
  eraseAbandonedOrders,
  chainAuditLog,
  eraseOldAuditRows,
  sweepResumes,
  sweepAttachments,
];

/**
 * Does a company's chores, after `first`. One that fails stops none of the others; the first failure is thrown at the
 * end.
 */
export async function doChores(ctx: Ctx, first: readonly Chore[]): Promise<void> {
  const failures: unknown[] = [];
  for (const chore of [...first, ...CHORES]) await chore(ctx).catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

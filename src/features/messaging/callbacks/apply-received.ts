import type { EncryptionCtx, IdCtx, SystemWriteCtx } from "#core/context.ts";
import { logFault } from "#core/log.ts";
import { systemWrite } from "#core/write/atomic.ts";
import type { Received } from "#providers/delivery";
import { noteInbound, notePreference } from "../contacts/note-inbound.ts";
import { suppress } from "../contacts/suppressions.ts";
import type { Channel } from "../messages/channel.ts";
import { applyReceipts } from "../messages/status.ts";

/** Writes the content of a callback, in one batch. */
export async function applyReceived(
  ctx: SystemWriteCtx & IdCtx & EncryptionCtx,
  channel: Channel,
  provider: string,
  received: Received,
): Promise<void> {
  const { receipts = [], inbound = [], suppressions = [], preferences = [] } = received;
  const noted = inbound.map((message) =>
    channel === "email" ? [] : noteInbound(ctx, channel, provider, message),
  );
  const statements = [
    ...(receipts.length === 0 ? [] : applyReceipts(ctx, provider, receipts)),
    ...(await Promise.all(noted)).flat(),
    ...(await Promise.all(preferences.map((preference) => notePreference(ctx, preference)))).flat(),
    ...suppressions.map((suppression) => suppress(ctx, suppression)),
  ];
  if (statements.length > 0) await systemWrite(ctx, statements);
}

/** Logs what this code does not know of a provider's report, and nothing that the report says. */
export function logUnread(unread: Received["unread"], provider: string): void {
  if (unread !== undefined)
    logFault(`callback_${unread}`, new Error(`An event of an unknown ${unread}`), provider);
}

import { type SQL, sql } from "drizzle-orm";
import type { CallCtx } from "#platform/context.ts";
import { CONTENTS, type MessageContent } from "#providers/messaging";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { profile } from "#tables/company";
import { type Channel, messageRecipients, messages } from "../messages/tables.ts";
import { messagingProviders } from "../providers/tables.ts";

const LEASE_MS = MINUTE_MS;

export type ClaimedProvider = {
  id: number;
  operation: string;
  sealed_config: string;
  sealed_token: string;
  paused_at: number | null;
};
type Said = MessageContent | { channel: Channel; content: null };

/** All that sending to one recipient takes. `content` is null once it is purged, before the message itself is. */
export type Claimed = Said & {
  id: number;
  message_id: string;
  ordinal: number;
  address: string;
  name: string | null;
  /** How often its provider was asked before. */
  attempts: number;
  in_doubt: 0 | 1;
  created_at: number;
  kind: string;
  provider: ClaimedProvider | null;
  company: { name: string; email: string | null };
};

/** A recipient that is now ours to send to; one held by another until then (epoch ms); or one that is done with. */
export type Claim = Claimed | { heldUntil: number } | "done";

/**
 * Takes a recipient for a minute, and asks nobody yet: the row stays `pending`. The claim carries this run's name, so a
 * retry after a lost answer still owns it. A row found `dispatching` with a lapsed claim is in doubt: its provider may
 * have been asked.
 */
export async function claimRecipient(ctx: CallCtx, recipient: number): Promise<Claim> {
  const run = ctx.operation.id;
  const results = await ctx.database.write([
    sql`UPDATE ${messageRecipients} SET
        in_doubt = in_doubt OR dispatch_state = 'dispatching',
        dispatch_state = 'pending', claim = ${run}, claim_until = ${ctx.now + LEASE_MS}
      WHERE id = ${recipient} AND provider_message_id IS NULL AND dispatch_state IN ('pending', 'dispatching')
        AND (claim_until <= ${ctx.now} OR (dispatch_state = 'pending' AND claim IS ${run}))`,
    sql`SELECT ${claimed()} AS snapshot
      FROM ${messageRecipients} r JOIN ${messages} m ON m.id = r.message_id
      LEFT JOIN ${messagingProviders} p ON p.id = m.provider_id, ${profile} c
      WHERE r.id = ${recipient} AND r.dispatch_state = 'pending' AND r.claim IS ${run}`,
    sql`SELECT claim_until FROM ${messageRecipients}
      WHERE id = ${recipient} AND dispatch_state IN ('pending', 'dispatching')`,
  ]);
  const snapshot = results[1]?.rows[0]?.snapshot;
  if (snapshot !== undefined) return parsed(JSON.parse(String(snapshot)));
  const heldUntil = results[2]?.rows[0]?.claim_until;
  return heldUntil === undefined ? "done" : { heldUntil: Number(heldUntil) };
}

/**
 * Says in the row that its provider is asked from now on, which counts as an attempt: a run that dies before this has
 * asked nobody. Gives false where this run no longer holds the recipient, and must not ask.
 */
export async function beginAsking(ctx: CallCtx, { id }: Claimed): Promise<boolean> {
  const mine = sql`id = ${id} AND claim IS ${ctx.operation.id}`;
  const results = await ctx.database.write([
    sql`UPDATE ${messageRecipients} SET
        dispatch_state = 'dispatching', attempts = attempts + 1, claim_until = ${ctx.now + LEASE_MS}
      WHERE ${mine} AND dispatch_state = 'pending'`,
    sql`SELECT 1 FROM ${messageRecipients} WHERE ${mine} AND dispatch_state = 'dispatching'`,
  ]);
  return results[1]?.rows.length === 1;
}

/** Parses the stored content by the schema that it was written with; throws where it does not fit. */
function parsed(row: Claimed): Claimed {
  if (row.content === null) return row;
  const content = CONTENTS[row.channel].parse(row.content);
  return { ...row, content } as Claimed;
}

function claimed(): SQL {
  return sql.raw(`json_object(
    'id', r.id, 'message_id', r.message_id, 'ordinal', r.ordinal, 'address', r.address, 'name', r.name,
    'attempts', r.attempts, 'in_doubt', r.in_doubt, 'channel', m.channel, 'created_at', m.created_at,
    'kind', r.provider, 'content', json(m.content),
    'provider', iif(p.id IS NULL, NULL, json_object('id', p.id, 'operation', p.operation,
      'sealed_config', p.sealed_config, 'sealed_token', p.sealed_token, 'paused_at', p.paused_at)),
    'company', json_object('name', c.name, 'email', c.email)
  )`);
}

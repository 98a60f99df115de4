import { and, eq } from "drizzle-orm";
import type { Callback, FindNamed, NamedCompanies } from "#api/operations/callback.ts";
import type { Ctx, EncryptionCtx, ReadCtx } from "#core/context.ts";
import { logFault } from "#core/log.ts";
import { decode, verifies } from "#core/secrets/signatures.ts";
import type { MetaConfig } from "#providers/chatapp";
import type { Received } from "#providers/delivery";
import { Problem } from "#shared/problem.ts";
import { messagingProviders } from "#tables/messaging";
import { openConfig } from "../providers/configuration/secret-kinds.ts";
import { applyReceived, logUnread } from "./apply-received.ts";
import { type Change, changesIn, unreadIn } from "./chatapp-body.ts";

/** How many numbers' companies have their own secret tried; a callback is about few numbers. */
const MOST_SECRETS = 5;

/**
 * Takes the chat-app's callback: signed with the platform's secret it may name any company, with a company's own secret
 * only that one; what names another is dropped. Throws 401 when no secret fits, and then nothing is written. What
 * names no company here, such as the other fields of a company's own app, is 200 with any signature.
 */
export async function receiveChatapp(
  find: FindNamed,
  callback: Callback,
  platformSecret: string | undefined,
): Promise<object> {
  const signature = signatureOf(callback.headers);
  if (signature === undefined) throw unsigned();
  const changes = changesIn(callback.body);
  const ids = new Set(changes.flatMap(({ statuses }) => statuses.map(({ company }) => company)));
  const numbers = new Set(changes.map(({ number }) => number));
  const byPlatform =
    platformSecret !== undefined && (await verifies("SHA-256", platformSecret, signature, callback.body));
  if (byPlatform) logUnread(unreadIn(callback.body), "chatapp meta");
  if (changes.length === 0) return { received: true };
  const companies = await find(
    [...ids].filter((id) => id !== null),
    [...numbers],
  );
  if (companies.byId.size + companies.byNumber.size === 0) return { received: true };
  const signer = byPlatform ? "platform" : await signerOf(companies, callback, signature);
  if (signer === undefined) throw unsigned();
  await Promise.all(
    [...byCompany(changes, companies, signer)].map(([ctx, received]) =>
      applyReceived(ctx, "chatapp", "meta", received),
    ),
  );
  return { received: true };
}

/** The reports for each company that the signer may report on. */
function byCompany(
  changes: readonly Change[],
  companies: NamedCompanies,
  signer: Ctx | "platform",
): Map<Ctx, Received> {
  const told = new Map<Ctx, Required<Pick<Received, "receipts" | "inbound" | "preferences">>>();
  const toldOf = (ctx: Ctx) => {
    const known = [...told].find(([{ company }]) => company.id === ctx.company.id);
    if (known !== undefined) return known[1];
    const nothing = { receipts: [], inbound: [], preferences: [] };
    told.set(ctx, nothing);
    return nothing;
  };
  let dropped = 0;
  for (const change of changes) {
    const owner = companies.byNumber.get(change.number);
    const named = change.statuses.map(({ company }) =>
      company === null ? owner : companies.byId.get(company),
    );
    const foreign = [owner, ...named].some((ctx) => ctx?.company.id !== Object(signer).company?.id);
    if (signer !== "platform" && foreign) {
      dropped += 1;
      continue;
    }
    for (const [index, { receipt }] of change.statuses.entries()) {
      const ctx = named[index];
      if (ctx !== undefined) toldOf(ctx).receipts.push(receipt);
    }
    if (owner === undefined) continue;
    toldOf(owner).inbound.push(...change.inbound);
    toldOf(owner).preferences.push(...change.preferences);
  }
  if (dropped > 0)
    logFault("chatapp_callback", `${dropped} changes named a company that is not the signer's`);
  return told;
}

/** The company whose own app signed the callback. */
async function signerOf(
  { byNumber }: NamedCompanies,
  { body }: Callback,
  signature: Uint8Array<ArrayBuffer>,
): Promise<Ctx | undefined> {
  for (const [number, ctx] of [...byNumber].slice(0, MOST_SECRETS))
    for (const secret of await appSecrets(ctx, number))
      if (await verifies("SHA-256", secret, signature, body)) return ctx;
  return undefined;
}

async function appSecrets(ctx: ReadCtx & EncryptionCtx, number: string): Promise<string[]> {
  const chatapp = and(eq(messagingProviders.channel, "chatapp"), eq(messagingProviders.kind, "meta"));
  const [rows] = await ctx.database.read([ctx.db.select().from(messagingProviders).where(chatapp)]);
  const configs = await Promise.all(
    rows.map(
      ({ operation, encryptedConfig }) => openConfig(ctx, operation, encryptedConfig) as Promise<MetaConfig>,
    ),
  );
  return configs.flatMap(({ phone_number_id, app_secret }) =>
    phone_number_id === number && app_secret !== undefined ? [app_secret] : [],
  );
}

function signatureOf(headers: Headers): Uint8Array<ArrayBuffer> | undefined {
  const [, hex] = /^sha256=([0-9a-f]{64})$/.exec(headers.get("X-Hub-Signature-256") ?? "") ?? [];
  return hex === undefined ? undefined : decode(hex, "hex");
}

function unsigned(): Problem {
  return new Problem("invalid_signature", { status: 401 });
}

import type { Ctx } from "#core/context.ts";
import { visitorIn } from "#core/visitor-token.ts";
import type { SettingsRow } from "../settings/settings.ts";
import { type ClientGroups, clientGroupsOf } from "./client-groups.ts";
import { judgePuzzle, type Puzzle } from "./puzzle.ts";

type Sent = { visitor?: string | null | undefined; turnstile_token?: string | null | undefined };

/** Who books, as limits know them: of a server's call nothing is asked or counted. */
export type Booker = { groups: ClientGroups; visitor: string | null; puzzle: Puzzle };

/** Judges what the browser of a booking page sends of its visitor; `secret` is Turnstile's, encrypted. */
export async function whoBooks(
  ctx: Ctx,
  { visitor, turnstile_token: token }: Sent,
  settings: SettingsRow,
  secret: string | null,
): Promise<Booker> {
  const groups = await clientGroupsOf(ctx);
  if (groups.client === null) return { groups, visitor: null, puzzle: "off" };
  return {
    groups,
    visitor: await visitorIn(ctx, visitor ?? ctx.client.visitorToken),
    puzzle: await judgePuzzle(ctx, { settings, secret, token }),
  };
}

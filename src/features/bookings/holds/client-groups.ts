import type { Ctx } from "#core/context.ts";
import { sha256Hex } from "#core/secrets/hash.ts";
import { widerGroups } from "#shared/network/address-group.ts";
import type { bookings } from "#tables/bookings";

/** Whose browser it is, as hashes of its address group and of the /56 and the /48 around it. */
export type ClientGroups = Pick<typeof bookings.$inferSelect, "client" | "clientSite" | "clientNetwork">;

const NONE: ClientGroups = { client: null, clientSite: null, clientNetwork: null };

/** The groups that limits count the browser of a booking page in; all null where a server calls. */
export async function clientGroupsOf({ actor, company, client }: Ctx): Promise<ClientGroups> {
  if (actor.type !== "publishable") return NONE;
  const hash = (group: string) => sha256Hex(`${company.slug} ${group}`);
  const wider = widerGroups(client.address);
  const own = await hash(client.address);
  if (wider === null) return { ...NONE, client: own };
  const [clientSite, clientNetwork] = await Promise.all([hash(wider.site), hash(wider.network)]);
  return { client: own, clientSite, clientNetwork };
}

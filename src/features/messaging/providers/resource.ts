import { sql } from "drizzle-orm";
import { resource } from "#api/operations/resource.ts";
import { hiddenCallbackUrl } from "./callback-address.ts";
import { providerExample } from "./examples.ts";
import { Provider } from "./schema.ts";
import { type ProviderRow, renderProvider, selectProviders } from "./snapshot.ts";
import { messagingProviders } from "./tables.ts";

/** The data of provider events. It holds no secret, not even an encrypted one: key rotation would not find it. */
export const providerResource = resource({
  name: "provider",
  scope: "settings:read",
  record: Provider,
  example: providerExample,
  select: (_ctx, id) =>
    sql<ProviderRow>`SELECT json_set(snapshot, '$.sealed_token', '') AS snapshot
      FROM (${selectProviders(sql`${messagingProviders.id} = ${id}`)})`,
  render: (row, ctx) => renderProvider(row, ctx, hiddenCallbackUrl),
});

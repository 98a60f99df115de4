import * as z from "zod";
import type { OutsideCtx, ReadCtx } from "#core/context.ts";
import { added, flag, idText, instant, internal, json } from "#core/sql/fields.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { GATEWAY_KINDS } from "#shared/payments/gateways.ts";
import { gatewayAccounts } from "#tables/gateway-payments";

type LastFour = { last_four: Record<string, string> };

const Configured = z
  .object({ configured: z.literal(true), last_four: z.string() })
  .meta({ id: "ConfiguredSecret" });
const configured = (last: string) => ({ configured: true as const, last_four: last });

/** A gateway, without its secrets. */
export const gateway = record(
  gatewayAccounts,
  {
    id: idText,
    kind: z.enum(GATEWAY_KINDS),
    mode: z.enum(["test", "live"]),
    currencies: json(z.array(z.string())),
    priority: z.int().describe("Of several gateways for a currency, that with the lowest number is used."),
    is_active: flag,
    last_four: json(internal<Record<string, string>>()),
    credentials: added(
      z.record(z.string(), Configured).meta({ description: "Secrets are never shown again." }),
      ({ last_four: { webhook_secret: _, ...named } }: LastFour) =>
        Object.fromEntries(Object.entries(named).map(([name, last]) => [name, configured(last)])),
    ),
    webhook_secret: added(Configured.nullable(), ({ last_four: { webhook_secret: last } }: LastFour) =>
      last === undefined ? null : configured(last),
    ),
    webhook_url: added(
      z.string().meta({ description: "The address that the gateway must send its events to." }),
      ({ kind }: { kind: string }, { origin, company }: ReadCtx & OutsideCtx) =>
        `${origin}/api/v1/storefront/${company.slug}/webhook/${kind}`,
    ),
    created_at: instant,
    updated_at: instant,
  },
  "PaymentGateway",
);
export type GatewayRow = RowOf<typeof gateway>;

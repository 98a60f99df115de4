import type { SQL } from "drizzle-orm";
import { hasGateway } from "#features/gateway-payments";
import type { Ctx } from "#platform/context.ts";

/** 1 where a gateway takes the company's currency, else 0. */
export function acceptsOnlinePayment({ company }: Pick<Ctx, "company">): SQL<number> {
  return hasGateway(company.currency);
}

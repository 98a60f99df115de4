import type { Api } from "../api.ts";
import { DEMO_MERCHANTS, type Kind, type Merchant } from "../gateways/merchants.ts";

/** Connects a demo company to its accounts at the stand-ins, each for the currencies given, first come first chosen. */
export async function connectGateways(
  api: Api,
  slug: string,
  currencies: Partial<Record<Kind, string[]>>,
): Promise<void> {
  const merchants = DEMO_MERCHANTS.filter(({ company, kind }) => company === slug && currencies[kind]);
  for (const merchant of merchants) {
    await api.create(`/settings/${slug}/payment-gateways`, `demo-gateway-${merchant.kind}`, {
      ...settingsOf(merchant),
      mode: "test",
      currencies: currencies[merchant.kind],
      priority: Object.keys(currencies).indexOf(merchant.kind) + 1,
      is_active: true,
    });
  }
}

/** What the settings of a company call an account's secrets. */
export function settingsOf({ kind, account, secret, webhook_secret }: Merchant) {
  switch (kind) {
    case "razorpay":
      return { kind, credentials: { key_id: account, key_secret: secret }, webhook_secret };
    case "stripe":
      return { kind, credentials: { publishable_key: account, secret_key: secret }, webhook_secret };
    case "paypal":
      return { kind, credentials: { client_id: account, client_secret: secret, webhook_id: webhook_secret } };
  }
}

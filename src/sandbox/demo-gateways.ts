import type { Api } from "./api.ts";
import { DEMO_MERCHANTS, type Kind, type Merchant } from "./gateways/merchants.ts";

/** Connects a demo company to its accounts at the stand-ins, each for the currencies given, first come first chosen. */
export async function connectGateways(
  api: Api,
  slug: string,
  currencies: Partial<Record<Kind, string[]>>,
): Promise<void> {
  const merchants = DEMO_MERCHANTS.filter(({ company, kind }) => company === slug && currencies[kind]);
  for (const [index, merchant] of merchants.entries()) {
    const { kind, webhook_secret } = merchant;
    await api.create(`/settings/${slug}/payment-gateways`, `demo-gateway-${kind}`, {
      kind,
      mode: "test",
      currencies: currencies[kind],
      priority: index + 1,
      is_active: true,
      credentials: credentialsOf(merchant),
      webhook_secret,
    });
  }
}

function credentialsOf({ kind, account, secret, webhook_secret }: Merchant): Record<string, string> {
  switch (kind) {
    case "razorpay":
      return { key_id: account, key_secret: secret };
    case "stripe":
      return { secret_key: secret, publishable_key: account };
    case "paypal":
      return { client_id: account, client_secret: secret, webhook_id: webhook_secret };
  }
}

import { createHash } from "node:crypto";
import { vi } from "vitest";
import { GATEWAYS, type GatewayAccount } from "#providers/payment";
import { settingsOf } from "../../../src/sandbox/demo/demo-gateways.ts";
import type { Kind } from "../../../src/sandbox/gateways/merchants.ts";
import { gateways, received } from "./harness.ts";
import { KEY, type Ordered, PART, type Paid } from "./payments.ts";

// workerd writes bytes in hexadecimal by itself; Node does not yet.
vi.mock("#core/secrets/hash.ts", () => ({
  sha256Hex: (data: Uint8Array) => createHash("sha256").update(data).digest("hex"),
}));

/** The project's own client of a gateway, as it speaks to the stand-in. */
export function clientOf(kind: Kind, currency: string) {
  const accountOf = ({ merchant }: Ordered): GatewayAccount => ({
    mode: "test",
    credentials: settingsOf(merchant).credentials,
    address: `${gateways.url}/${kind}`,
  });
  const orderOf = ({ payment, order, merchant }: Paid, fields = {}) => ({
    key: KEY,
    company: merchant.company,
    gatewayPaymentId: payment,
    gatewayOrderId: order,
    amount: PART,
    currency,
    isDuplicate: false,
    isInstant: false,
    ...fields,
  });
  const read = (of: Ordered) =>
    Promise.all(
      received.map(({ body }) => {
        const bytes = Uint8Array.from(new TextEncoder().encode(body));
        const delivery = { headers: new Headers(), body: bytes, receivedAt: Date.now() };
        return GATEWAYS[kind].read(accountOf(of), JSON.parse(body), delivery);
      }),
    );
  return {
    give: (paid: Paid, fields = {}) => GATEWAYS[kind].refund(accountOf(paid), orderOf(paid, fields)),
    look: (paid: Paid) => GATEWAYS[kind].lookRefunds(accountOf(paid), orderOf(paid)),
    /** The reports of money that came, in what was received. */
    payments: async (of: Ordered) =>
      (await read(of)).flatMap(({ report }) => (report.state === "paid" ? report : [])),
    /** The reports of money that went back. */
    refunds: async (of: Ordered) => (await read(of)).flatMap(({ refund }) => refund ?? []),
  };
}

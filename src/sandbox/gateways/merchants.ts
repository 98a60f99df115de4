import * as z from "zod";
import { readKept, writeKept } from "../data-folder/kept-file.ts";
import { DRIVING_SCHOOL, TRADERS } from "../demo/demo-data.ts";

const KINDS = ["razorpay", "stripe", "paypal"] as const;
export type Kind = (typeof KINDS)[number];

/** An account at a gateway, and the company whose money it takes. */
export const Merchant = z.object({
  kind: z.enum(KINDS),
  company: z.string(),
  name: z.string(),
  /** Razorpay's key_id, Stripe's publishable_key, PayPal's client_id. */
  account: z.string(),
  /** Razorpay's key_secret, Stripe's secret_key, PayPal's client_secret. */
  secret: z.string(),
  /** What its webhooks are signed with; at PayPal the webhook's id. */
  webhook_secret: z.string(),
  /** Where its webhooks go, unless to the company's address at the Worker. */
  webhook_url: z.url().exactOptional(),
});
export type Merchant = z.output<typeof Merchant>;

/** What a call of a gateway's API knows once its credentials are checked. */
export type Caller = { Variables: { merchant: Merchant } };

// Demo values: they open nothing but the stand-ins of this sandbox.
const DEMO_PREFIXES: Record<Kind, [account: string, secret: string, webhookSecret: string]> = {
  razorpay: ["rzp_test_", "demo_key_secret_", "demo_webhook_secret_"],
  stripe: ["pk_test_", "sk_test_", "whsec_"],
  paypal: ["demo_client_", "demo_client_secret_", "DEMOWEBHOOK"],
};

/** The accounts of the demo companies, one at each gateway. */
export const DEMO_MERCHANTS = [TRADERS, DRIVING_SCHOOL].flatMap((company) =>
  KINDS.map((kind) => demoMerchant(kind, company)),
);

/** The account of a company, with values that are clearly no real ones. */
export function demoMerchant(kind: Kind, { slug, name }: { slug: string; name: string }): Merchant {
  const word = slug.replaceAll("-", "");
  const [account, secret, webhookSecret] = DEMO_PREFIXES[kind];
  return {
    kind,
    company: slug,
    name,
    account: account + word,
    secret: secret + word,
    webhook_secret: webhookSecret + word,
  };
}

/** The accounts that the stand-ins know; those that were opened here are kept in a file, where one is given. */
export class Merchants {
  readonly #byAccount = new Map<string, Merchant>();
  readonly #opened = new Map<string, Merchant>();
  readonly #file: string | undefined;

  constructor(merchants: Merchant[], file?: string) {
    this.#file = file;
    for (const merchant of merchants) this.#byAccount.set(merchant.account, merchant);
    for (const merchant of readKept<Merchant[]>(file) ?? []) this.#put(merchant);
  }

  /** Opens an account, or replaces the one of the same name. */
  add(merchant: Merchant): void {
    this.#put(merchant);
    writeKept(this.#file, [...this.#opened.values()]);
  }

  #put(merchant: Merchant): void {
    this.#opened.set(merchant.account, merchant);
    this.#byAccount.set(merchant.account, merchant);
  }

  get(account: string): Merchant {
    const merchant = this.#byAccount.get(account);
    if (merchant === undefined) throw new Error(`No merchant has the account ${account}`);
    return merchant;
  }

  /** The account whose credentials these are; Stripe's are the secret alone. */
  identify(kind: Kind, secret: string, account?: string): Merchant | undefined {
    return this.#byAccount
      .values()
      .find(
        (merchant) =>
          merchant.kind === kind &&
          merchant.secret === secret &&
          (account === undefined || merchant.account === account),
      );
  }
}

/** Where outside services are: base addresses without a slash at the end, replaced in the sandbox and in tests. */
export type Services = {
  razorpay: string;
  stripe: string;
  paypal: { live: string; test: string };
  /** The base of a kind of message provider: its own address, or its stand-in's. */
  messaging: (kind: string, own: string) => string;
  /** The mailer for companies without one of their own; null where the platform has none. */
  mailer: Mailer | null;
  turnstile: string;
};

/** The platform's own mailer: a binding of the Worker, or where stand-ins are, an address to post to. */
type Mailer = { from: string; binding?: MailBinding };

/** One e-mail as the binding takes it. */
export type PlatformMail = {
  to: string;
  from: { email: string; name: string };
  replyTo?: string;
  subject: string;
  html: string;
  text: string;
};
type MailBinding = { send(mail: PlatformMail): Promise<unknown> };

export type ServiceVariables = {
  RAZORPAY_API_BASE?: string;
  STRIPE_API_BASE?: string;
  PAYPAL_API_BASE?: string;
  /** Where set, stand-ins at `<address>/<kind>` take the place of every message provider. */
  MESSAGING_API_BASE?: string;
  /** The platform's own mailer, and the address it sends from; without one, it has none. */
  EMAIL?: MailBinding;
  PLATFORM_MAIL_FROM?: string;
  TURNSTILE_API_BASE?: string;
};

/** The services' own addresses, unless a variable says otherwise. */
export function servicesOf(variables: ServiceVariables): Services {
  const { MESSAGING_API_BASE: standIns } = variables;
  return {
    razorpay: variables.RAZORPAY_API_BASE ?? "https://api.razorpay.com",
    stripe: variables.STRIPE_API_BASE ?? "https://api.stripe.com",
    paypal: {
      live: variables.PAYPAL_API_BASE ?? "https://api-m.paypal.com",
      test: variables.PAYPAL_API_BASE ?? "https://api-m.sandbox.paypal.com",
    },
    messaging: (kind, own) => (standIns === undefined ? own : `${standIns}/${kind}`),
    mailer: mailerOf(variables),
    turnstile: variables.TURNSTILE_API_BASE ?? "https://challenges.cloudflare.com",
  };
}

function mailerOf({ EMAIL, MESSAGING_API_BASE, PLATFORM_MAIL_FROM: from }: ServiceVariables): Mailer | null {
  if (from === undefined) return null;
  if (MESSAGING_API_BASE !== undefined) return { from };
  return EMAIL === undefined ? null : { from, binding: EMAIL };
}

import type { MailBinding, Services } from "#core/services.ts";

/** The variables that put stand-ins in the place of outside services, and the operator's own mailer. */
export type ServiceVariables = {
  RAZORPAY_API_BASE?: string;
  STRIPE_API_BASE?: string;
  PAYPAL_API_BASE?: string;
  TURNSTILE_API_BASE?: string;
  /** Who resolves names for us, over HTTPS and in JSON. */
  DNS_RESOLVER?: string;
  /** Where images are fetched from, whatever host their address names. */
  IMAGE_API_BASE?: string;
  /** Of a sandbox: where its own page receives events. */
  SANDBOX_RECEIVER?: string;
  /** Scheme and host of the addresses that are handed out, such as an invoice's page; else that of the request. */
  PUBLIC_ORIGIN?: string;
  /** Where set, stand-ins at `<address>/<kind>` take the place of every message provider. */
  MESSAGING_API_BASE?: string;
  /** The operator's own mailer, and the address it sends from; without one, it has none. */
  EMAIL?: MailBinding;
  PLATFORM_MAIL_FROM?: string;
  /** What the build puts beside the Worker. */
  ASSETS?: Pick<Fetcher, "fetch">;
};

/** The services' own addresses, unless a variable says otherwise. */
export function servicesOf(variables: ServiceVariables): Services {
  const { MESSAGING_API_BASE: messaging } = variables;
  const standIns: Readonly<Record<string, string | undefined>> = {
    razorpay: variables.RAZORPAY_API_BASE,
    stripe: variables.STRIPE_API_BASE,
    paypal: variables.PAYPAL_API_BASE,
    turnstile: variables.TURNSTILE_API_BASE,
    dns: variables.DNS_RESOLVER,
    image: variables.IMAGE_API_BASE,
  };
  return {
    addressOf(service, own) {
      if (Object.hasOwn(standIns, service)) return standIns[service] ?? own;
      return messaging === undefined ? own : `${messaging}/${service}`;
    },
    mailer: mailerOf(variables),
    publicOrigin: variables.PUBLIC_ORIGIN ?? null,
    receiver: variables.SANDBOX_RECEIVER ?? null,
    async exampleEvent(type) {
      const file = await variables.ASSETS?.fetch(`https://assets.local/events/${type}.json`);
      return file?.ok ? file.json() : undefined;
    },
  };
}

function mailerOf({
  EMAIL,
  MESSAGING_API_BASE,
  PLATFORM_MAIL_FROM: from,
}: ServiceVariables): Services["mailer"] {
  if (from === undefined) return null;
  if (MESSAGING_API_BASE !== undefined) return { from };
  return EMAIL === undefined ? null : { from, binding: EMAIL };
}

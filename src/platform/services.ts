/** Where outside services are: base addresses without a slash at the end, replaced in the sandbox and in tests. */
export type Services = {
  razorpay: string;
  stripe: string;
  paypal: { live: string; test: string };
  turnstile: string;
};

export type ServiceVariables = {
  RAZORPAY_API_BASE?: string;
  STRIPE_API_BASE?: string;
  PAYPAL_API_BASE?: string;
  TURNSTILE_API_BASE?: string;
};

/** The services' own addresses, unless a variable says otherwise. */
export function servicesOf(variables: ServiceVariables): Services {
  return {
    razorpay: variables.RAZORPAY_API_BASE ?? "https://api.razorpay.com",
    stripe: variables.STRIPE_API_BASE ?? "https://api.stripe.com",
    paypal: {
      live: variables.PAYPAL_API_BASE ?? "https://api-m.paypal.com",
      test: variables.PAYPAL_API_BASE ?? "https://api-m.sandbox.paypal.com",
    },
    turnstile: variables.TURNSTILE_API_BASE ?? "https://challenges.cloudflare.com",
  };
}

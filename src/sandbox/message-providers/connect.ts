import type { Api } from "../api.ts";
import { TRADERS } from "../demo/demo-data.ts";

type Provider = { id: string; channel: string; callback_url: string };

const AUTH_KEY = "sandbox-auth-key";
const API_KEY = "re_sandbox_api_key";
const WEBHOOK_SECRET = `whsec_${btoa("sandbox-webhook-secret-of-resend")}`;

const PROVIDERS = [
  { channel: "sms", kind: "msg91", config: { auth_key: AUTH_KEY, default_sender_id: "DEMOTR" } },
  {
    channel: "chatapp",
    kind: "meta",
    config: { phone_number_id: "100200300400500", access_token: "sandbox-token" },
  },
  {
    channel: "email",
    kind: "resend",
    config: {
      api_key: API_KEY,
      webhook_secret: WEBHOOK_SECRET,
      from_email: "hello@demo-traders.example",
      from_name: TRADERS.name,
    },
  },
];
/** Only the answer shows the whole callback address; messages sent before may still call the old one. */
const OVERLAP = { overlap_seconds: 604_800 };
const TEMPLATE = {
  template_id: "1107161234567890123",
  text: "Dear {#var#}, your order {#var#} is ready for pickup. - DEMOTR",
  sender_id: "DEMOTR",
};

/** Gives the demo company a provider for each channel, all of them stand-ins, and gives each its callback address. */
export async function connectProviders(api: Api, sandbox: string): Promise<void> {
  const settings = `/settings/${TRADERS.slug}`;
  for (const provider of PROVIDERS) {
    const path = `${settings}/messaging-providers`;
    const { data: known } = await api.get<{ data: Provider[] }>(path);
    const there = known.find(({ channel }) => channel === provider.channel);
    const account = { msg91: AUTH_KEY, resend: API_KEY }[provider.kind];
    const connected =
      there === undefined
        ? await api.create<{ data: Provider }>(path, `demo-${provider.channel}`, provider)
        : account && (await api.post<{ data: Provider }>(`${path}/${there.id}/rotate`, OVERLAP));
    if (account === undefined || !connected) continue;
    const secret = provider.kind === "resend" ? WEBHOOK_SECRET : "";
    const body = JSON.stringify({ account, callback_url: connected.data.callback_url, secret });
    await fetch(`${sandbox}/messages/accounts`, { method: "POST", body });
  }
  const { data: templates } = await api.get<{ data: unknown[] }>(`${settings}/sms-templates`);
  if (templates.length === 0) await api.create(`${settings}/sms-templates`, "demo-template", TEMPLATE);
}

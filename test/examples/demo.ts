import { Api } from "../../src/sandbox/api.ts";
import { makeDemo } from "../../src/sandbox/demo/demo.ts";
import { DRIVING_SCHOOL, TRADERS } from "../../src/sandbox/demo/demo-data.ts";
import { DEMO_MERCHANTS } from "../../src/sandbox/gateways/merchants.ts";
import { connectProviders } from "../../src/sandbox/message-providers/connect.ts";
import { REGISTERED } from "../features/commerce.ts";
import { companyOf, openCompany, type TestCompany } from "../support/company.ts";
import type { ServiceAddress } from "../support/http.ts";
import { keepRecords } from "../support/operations.ts";
import { RECEIVERS } from "../support/receivers.ts";
import { addressOf, PLATFORM_TOKEN, startService } from "../support/service.ts";

/** The demo companies of `npm start`, in a service of their own. */
export type DemoCompanies = AsyncDisposable & {
  service: ServiceAddress;
  traders: TestCompany;
  school: TestCompany;
  /** One that has what they have not. */
  other: TestCompany;
};

/** Starts a service, and opens and fills the demo companies in it. */
export async function startDemo(): Promise<DemoCompanies> {
  const running = await startService();
  const service = addressOf(running);
  for (const merchant of DEMO_MERCHANTS) {
    const webhook_url = `${service.url}/v1/storefront/${merchant.company}/webhook/${merchant.kind}`;
    const body = JSON.stringify({ ...merchant, webhook_url });
    await fetch(`${service.gatewaysUrl}/pay/merchants`, { method: "PUT", body });
  }
  const platform = new Api(service.url, { Authorization: `Bearer ${PLATFORM_TOKEN}` });
  const demo = await makeDemo(platform, service.messagesUrl, service.gatewaysUrl);
  const opened = ({ slug }: { slug: string }, { admin_key }: { admin_key: TestCompany["admin"] }) =>
    companyOf({ slug, admin_key }, service);
  const traders = await opened(TRADERS, demo.traders);
  await connectProviders(platform.signedBy(demo.traders.admin_key), service.messagesUrl);
  const receiver = {
    url: `${service.outsideUrl}${RECEIVERS}${TRADERS.slug}`,
    description: "The sandbox's receiver",
  };
  await traders.make("/settings/:company/event-endpoints", { ...receiver, types: ["*"] });
  return {
    ...{ service, traders },
    school: await opened(DRIVING_SCHOOL, demo.driving),
    other: keepRecords(await openCompany({ slug: "asha-traders", ...REGISTERED }, service)),
    [Symbol.asyncDispose]: () => running.stop(),
  };
}

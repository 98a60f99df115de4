import { type Api, Conflict, Refused } from "../api.ts";
import type { DataFolder } from "../data-folder/data-folder.ts";
import type { Databases } from "../database-server/databases.ts";
import { connectProviders } from "../message-providers/connect.ts";
import { warn } from "../terminal/progress.ts";
import { DEMO_SLUGS, type Demo, makeDemo, moveBookingPage } from "./demo.ts";
import { DRIVING_SCHOOL, TRADERS } from "./demo-data.ts";
import { connectReceiver } from "./demo-events.ts";

type Page = { data: { slug: string }[]; paging: { next_cursor: string | null } };

/** Brings every database up to date, and makes the demo companies unless they were complete before. */
export async function prepareCompanies(
  platform: Api,
  databases: Databases,
  folder: DataFolder,
  { bookingOrigin, gateways, receivers }: { bookingOrigin: string; gateways: string; receivers: string },
): Promise<Demo> {
  const { demo: known } = folder.memory;
  await migrate(platform, "/platform/migrations", folder);
  // A start that died while it made them left companies whose keys are lost.
  await databases.adopt(known === undefined ? DEMO_SLUGS : []);
  for (const slug of await listSlugs(platform))
    await migrate(platform, `/platform/companies/${slug}/migrations`, folder);
  if (known === undefined) {
    const demo = await makeDemo(platform, bookingOrigin, gateways);
    const traders = platform.signedBy(demo.traders.admin_key);
    await connectProviders(traders, bookingOrigin);
    await connectReceiver(traders, folder, receivers);
    folder.remember({ demo });
    return demo;
  }
  // A user may have changed the demo's own keys: the sandbox starts all the same.
  const moved = attempt(DRIVING_SCHOOL.slug, `The booking page does not work from ${bookingOrigin}`, () =>
    moveBookingPage(platform, known, bookingOrigin),
  );
  const demo = (await moved) ?? known;
  await attempt(TRADERS.slug, "The providers of messages are not connected to this start", () =>
    connectProviders(platform.signedBy(demo.traders.admin_key), bookingOrigin),
  );
  await attempt(TRADERS.slug, "Its events are not sent to the receiver of this start", () =>
    connectReceiver(platform.signedBy(demo.traders.admin_key), folder, receivers),
  );
  folder.remember({ demo });
  return demo;
}

/** Brings one database up to date. Throws a StartError where it is another version's. */
async function migrate(platform: Api, path: string, folder: DataFolder): Promise<void> {
  await platform.post(path).catch((error: unknown) => {
    throw error instanceof Conflict ? folder.ofAnotherVersion() : error;
  });
}

/** Does what the company's first key may be refused, as one with fewer scopes is; then a line says what is missing. */
async function attempt<Result>(slug: string, missing: string, work: () => Promise<Result>) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    warn(`${missing}, for the first key of ${slug} was refused: ${error.message}
  Where it lost scopes, give them back with one of every scope (npx company-ops company key ${slug}), or begin anew (npm start -- --fresh)`);
    return undefined;
  }
}

async function listSlugs(platform: Api): Promise<string[]> {
  const slugs: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const page: Page = await platform.get(`/platform/companies?limit=100${query}`);
    slugs.push(...page.data.map((company) => company.slug));
    cursor = page.paging.next_cursor;
  }
  return slugs;
}

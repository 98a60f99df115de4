import type { Api } from "./api.ts";
import type { DataFolder } from "./data-folder.ts";
import type { Databases } from "./databases.ts";
import { DEMO_SLUGS, type Demo, makeDemo, moveBookingPage } from "./demo.ts";
import { connectProviders } from "./messages/connect.ts";

type Page = { data: { slug: string }[]; paging: { next_cursor: string | null } };

/** Brings every database up to date, and makes the demo companies unless they were complete before. */
export async function prepareCompanies(
  platform: Api,
  databases: Databases,
  folder: DataFolder,
  bookingOrigin: string,
): Promise<Demo> {
  const { demo: known } = folder.memory;
  await platform.post("/platform/migrations");
  // A start that died while it made them left companies whose keys nobody has.
  await databases.adopt(known === undefined ? DEMO_SLUGS : []);
  for (const slug of await listSlugs(platform)) await platform.post(`/platform/companies/${slug}/migrations`);
  const demo =
    known === undefined
      ? await makeDemo(platform, bookingOrigin)
      : await moveBookingPage(platform, known, bookingOrigin);
  await connectProviders(platform.signedBy(demo.traders.admin_key), bookingOrigin);
  folder.remember({ demo });
  return demo;
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

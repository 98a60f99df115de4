import { Hono } from "hono";
import type { Configuration } from "../../configuration.ts";
import { addressesOf } from "../../data-folder/credentials.ts";
import type { DataFolder } from "../../data-folder/data-folder.ts";
import { TRADERS } from "../../demo/demo-data.ts";
import { nodeHandler } from "../../server/node-handler.ts";
import { siteFile } from "../../server/page-files.ts";
import { formsServer, type Settings } from "./server.ts";

const PAGES = { "/careers": "careers.html", "/contact": "contact.html" };

/** The demo company's career page and its contact form, under `/careers/` and `/contact/`. */
export function formParts(configuration: Configuration, folder: DataFolder) {
  const { base } = addressesOf(configuration);
  const site = formsSite(() => {
    // The key comes with the demo company, which is made once this server is up.
    const key = folder.memory.demo?.traders.site_key;
    return key && { api: base, company: TRADERS.slug, key };
  });
  return Object.fromEntries(Object.keys(PAGES).map((path) => [path, nodeHandler(site.fetch)]));
}

/** Both pages, and their server once there are settings for it. */
export function formsSite(settings: () => Settings | undefined): Hono {
  const site = new Hono();
  for (const [path, page] of Object.entries(PAGES)) {
    site.get(path, (c) => c.redirect(`${path}/`));
    for (const file of [page, "forms.css", "form.js", "careers.js", "contact.js"])
      site.get(`${path}/${file === page ? "" : file}`, siteFile(import.meta.dirname, file));
    site.all(`${path}/api/*`, (c) => {
      const known = settings();
      if (known === undefined)
        return c.json(
          { message: "The demo company has no website yet: npm start -- --fresh makes one." },
          503,
        );
      return new Hono().route(`${path}/api`, formsServer(known)).fetch(c.req.raw);
    });
  }
  return site;
}

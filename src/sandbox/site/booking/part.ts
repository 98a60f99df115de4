import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Hono } from "hono";
import type { Configuration } from "../../configuration.ts";
import { addressesOf } from "../../data-folder/credentials.ts";
import type { DataFolder } from "../../data-folder/data-folder.ts";
import { DRIVING_SCHOOL } from "../../demo/demo-data.ts";
import { nodeHandler } from "../../server/node-handler.ts";

/** Which key the page has. `host` serves the API and the widget, `gateways` the script of Razorpay's stand-in. */
export type Values = { host: string; gateways: string; company: string; client_id: string };

/** The demo driving school's website under `/booking/`: its origin is on the list of its key. */
export function bookingPart(configuration: Configuration, folder: DataFolder) {
  const { host } = addressesOf(configuration);
  const gateways = `http://127.0.0.1:${configuration.sandboxPort}`;
  const site = bookingSite(() => {
    // The key comes with the demo company, which is made once this server is up.
    const key = folder.memory.demo?.driving.publishable_key;
    return key && { host, gateways, company: DRIVING_SCHOOL.slug, client_id: key.client_id };
  });
  return { "/booking": nodeHandler(site.fetch) };
}

/** A driving school's website with the booking widget in it, once there is a key for it. */
export function bookingSite(values: () => Values | undefined): Hono {
  const site = new Hono();
  site.get("/booking", (c) => c.redirect("/booking/"));
  site.get("/booking/", (c) => {
    const known = values();
    if (known === undefined) return c.text("The demo company is not there yet.", 503);
    const page = file(c.req.query("lang") === "hi" ? "index.hi.html" : "index.html");
    const payment = c.req.query("payment") === "inline" ? "inline" : "";
    return c.html(
      Object.entries({ ...known, payment }).reduce(
        (text, [name, value]) => text.replaceAll(`{{${name}}}`, value),
        page,
      ),
    );
  });
  site.get("/booking/style.css", (c) => c.body(file("style.css"), 200, { "Content-Type": "text/css" }));
  return site;
}

// Read each time, so that who changes the site sees it at once.
function file(name: string): string {
  return readFileSync(join(import.meta.dirname, name), "utf8");
}

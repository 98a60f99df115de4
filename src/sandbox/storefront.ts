import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { Hono } from "hono";
import type { Configuration } from "./configuration.ts";
import { addressesOf } from "./credentials.ts";
import type { DataFolder } from "./data-folder.ts";
import { TRADERS } from "./demo-data.ts";
import { createGateways } from "./gateways/index.ts";
import { shopServer } from "./site/shop/server.ts";
import { nodeHandler } from "./web.ts";

const SHOP = join(import.meta.dirname, "site/shop");
const FILES = ["index.html", "shop.css", "shop.js"];
const TYPES: Record<string, string> = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript" };

/** The gateways, their payment pages and the small shop, by the prefixes of their paths. */
export function storefrontParts(configuration: Configuration, folder: DataFolder) {
  const { base, sandbox } = addressesOf(configuration);
  const gateways = createGateways({
    origin: sandbox,
    workerOrigin: `http://127.0.0.1:${configuration.port}`,
    file: folder.file("gateways.json"),
  });
  const site = new Hono();
  for (const file of FILES) {
    const type = `${TYPES[extname(file)]}; charset=utf-8`;
    const path = file === "index.html" ? "/shop/" : `/shop/${file}`;
    // Read each time, so that who changes the shop sees it at once.
    site.get(path, (c) => c.body(readFileSync(join(SHOP, file)), 200, { "Content-Type": type }));
  }
  site.get("/shop", (c) => c.redirect("/shop/"));
  // The shop's key comes with the demo company, which is made after this server is up.
  site.all("/shop/api/*", (c) => {
    const key = folder.memory.demo?.traders.shop_key;
    if (key === undefined) return c.json({ message: "The demo company has no shop yet." }, 503);
    const settings = { api: base, company: TRADERS.slug, key, shop: `${sandbox}/shop` };
    const server = shopServer({ ...settings, razorpayPage: `${sandbox}/pay/razorpay` });
    return new Hono().route("/shop/api", server).fetch(c.req.raw);
  });
  const pay = nodeHandler(gateways.fetch);
  return {
    "/razorpay/": pay,
    "/stripe/": pay,
    "/paypal/": pay,
    "/pay": pay,
    "/shop": nodeHandler(site.fetch),
  };
}

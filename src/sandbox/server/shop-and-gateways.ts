import { join } from "node:path";
import { Hono } from "hono";
import type { Configuration } from "../configuration.ts";
import { addressesOf } from "../data-folder/credentials.ts";
import type { DataFolder } from "../data-folder/data-folder.ts";
import { TRADERS } from "../demo/demo-data.ts";
import { createGateways } from "../gateways/index.ts";
import { type Settings, shopServer } from "../site/shop/server.ts";
import { nodeHandler } from "./node-handler.ts";
import { siteFile } from "./page-files.ts";

const SHOP = join(import.meta.dirname, "../site/shop");

/** The gateways, their payment pages and the small shop, by the prefixes of their paths. */
export function storefrontParts(configuration: Configuration, folder: DataFolder) {
  const { base, sandbox } = addressesOf(configuration);
  const gateways = createGateways({
    origin: sandbox,
    workerOrigin: `http://127.0.0.1:${configuration.port}`,
    file: folder.file("gateways.json"),
  });
  const shop = shopSite(() => {
    // The key comes with the demo company, which is made once this server is up.
    const key = folder.memory.demo?.traders.shop_key;
    if (key === undefined) return undefined;
    const [shop, razorpayPage] = [`${sandbox}/shop`, `${sandbox}/pay/razorpay`];
    return { api: base, company: TRADERS.slug, key, shop, razorpayPage };
  });
  const pay = nodeHandler(gateways.fetch);
  return {
    "/razorpay/": pay,
    "/stripe/": pay,
    "/paypal/": pay,
    "/pay": pay,
    "/shop": nodeHandler(shop.fetch),
  };
}

/** The shop under `/shop/`: its page, and its server once there are settings for it. */
export function shopSite(settings: () => Settings | undefined): Hono {
  const site = new Hono();
  site.get("/shop", (c) => c.redirect("/shop/"));
  for (const file of ["index.html", "shop.css", "shop.js"])
    site.get(`/shop/${file.replace("index.html", "")}`, siteFile(SHOP, file));
  site.all("/shop/api/*", (c) => {
    const known = settings();
    if (known === undefined) return c.json({ message: "The demo company has no shop yet." }, 503);
    return new Hono().route("/shop/api", shopServer(known)).fetch(c.req.raw);
  });
  return site;
}

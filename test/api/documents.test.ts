import { Hono } from "hono";
import { expect, test } from "vitest";
import { serveApiDocument } from "#api/pages/documents.ts";
import { type App, newState } from "#api/request-state.ts";
import { published } from "#test/published.ts";

const [{ file, document } = { file: "", document: {} }] = published;
const ASSETS = { fetch: async () => Response.json(document) };
const app = new Hono<App>();
app.get("/document", (c) => {
  c.set("state", newState());
  return serveApiDocument(c, `/${file}`);
});

test.each(["https://api.acme.test", "https://api.$`acme$&$$.test", 'https://api."acme\\.test'])(
  "the document names the address %s as it is, whatever signs it has",
  async (origin) => {
    const answer = await app.request("/document", {}, { ASSETS, PUBLIC_ORIGIN: origin });
    const { servers } = (await answer.json()) as typeof document & { servers: { url: string }[] };
    expect(servers.map(({ url }) => url)).toEqual([`${origin}/v1`, `${origin}/api/v1`]);
  },
);

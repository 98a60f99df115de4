import { describe, expect, inject, test } from "vitest";
import { API_VERSION } from "#shared/version.ts";

const { url } = inject("service");
const at = (path: string, init?: RequestInit) => fetch(url + path, init);
const typeOf = (answer: Response) => answer.headers.get("Content-Type");

type Link = { href: string; type: string };

describe("the catalogue of APIs (RFC 9727)", () => {
  test("is a linkset with its profile, whose every link answers as it says", async () => {
    const answer = await at("/.well-known/api-catalog");
    expect(answer.status).toBe(200);
    expect(typeOf(answer)).toBe(
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    );
    const { linkset } = (await answer.json()) as { linkset: ({ anchor: string } & Record<string, Link[]>)[] };
    expect(linkset.map(({ anchor }) => anchor)).toEqual([`${url}/v1`, `${url}/mcp`]);
    const links = linkset.flatMap(({ anchor: _anchor, ...relations }) => Object.values(relations).flat());
    expect(links).toHaveLength(7);
    for (const { href, type } of links) {
      const target = await fetch(href);
      expect([href, target.status, typeOf(target)?.split(";")[0]]).toEqual([href, 200, type]);
    }
  });

  test("answers HEAD with the link to itself", async () => {
    const answer = await at("/.well-known/api-catalog", { method: "HEAD" });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Link")).toContain('</.well-known/api-catalog>; rel="api-catalog"');
    expect(await answer.text()).toBe("");
  });
});

test.each(["/", "/docs", "/docs/"])("%s leads to the API document by its header", async (path) => {
  const answer = await at(path);
  expect(answer.headers.get("Link")).toContain('</v1/openapi.json>; rel="service-desc"');
});

describe("the card of /mcp (SEP-2127)", () => {
  test("is where the AI Catalog says, and says what its server says", async () => {
    const catalog = await at("/.well-known/ai-catalog.json");
    expect(typeOf(catalog)).toBe("application/ai-catalog+json");
    const { specVersion, entries } = (await catalog.json()) as { specVersion: string; entries: never[] };
    const type = "application/mcp-server-card+json";
    const identifier = expect.stringMatching(/^urn:air:[a-z0-9.-]+:mcp:company-operations$/);
    expect({ specVersion, entries }).toEqual({
      specVersion: "1.0",
      entries: [{ identifier, type, url: `${url}/mcp/server-card` }],
    });
    const card = await at("/mcp/server-card", { headers: { Accept: type } });
    expect(typeOf(card)).toBe(type);
    expect(card.headers.get("Access-Control-Allow-Origin")).toBe("*");
    const said = (await card.json()) as Record<string, unknown>;
    // The pattern and the length are those of the schema that the card names.
    expect(said).toMatchObject({
      $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
      name: expect.stringMatching(/^[a-zA-Z0-9.-]+\/company-operations$/),
      version: API_VERSION,
      description: expect.stringMatching(/^.{1,100}$/),
      remotes: [{ type: "streamable-http", url: `${url}/mcp` }],
    });
  });
});

describe.each(["/docs/guides", "/docs/guides/first-invoice", "/docs/pages/events"])("the page %s", (page) => {
  test("is Markdown under its address with .md, and for who prefers it", async () => {
    const named = await at(`${page}.md`);
    expect([typeOf(named), named.headers.get("Vary")]).toEqual(["text/markdown; charset=utf-8", null]);
    const text = await named.text();
    expect(text).toMatch(/^# /);
    for (const Accept of ["text/markdown", "text/markdown, text/html;q=0.9, */*;q=0.1"]) {
      const asked = await at(page, { headers: { Accept } });
      expect([typeOf(asked), asked.headers.get("Vary")]).toEqual(["text/markdown; charset=utf-8", "Accept"]);
      expect(await asked.text()).toBe(text);
    }
    for (const [, link = ""] of text.matchAll(/\]\((\/docs\/[^)#]+)/g))
      expect([link, (await at(link)).status]).toEqual([link, 200]);
  });

  test("is a page for browsers and for who does not say", async () => {
    const browsers = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    for (const Accept of [browsers, "*/*", "text/html, text/markdown;q=0.5"]) {
      const asked = await at(page, { headers: { Accept } });
      expect([typeOf(asked), asked.headers.get("Vary")]).toEqual(["text/html; charset=utf-8", "Accept"]);
    }
  });
});

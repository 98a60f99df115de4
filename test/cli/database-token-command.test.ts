import { beforeEach, expect, test } from "vitest";
import { companyOps as run } from "../support/company-ops.ts";
import { useServer } from "../support/own-server.ts";

let asked: string[];

const RENEWED = [
  { slug: "never", status: "active", token_renewed_at: null },
  { slug: "today", status: "active", token_renewed_at: new Date().toISOString() },
  { slug: "long-ago", status: "suspended", token_renewed_at: "2026-01-01T00:00:00.000Z" },
  { slug: "closed", status: "closed", token_renewed_at: null },
];

/** Stands for the service: which companies there are, and which tokens were renewed. */
const url = useServer((request, response) => {
  const slug = /^\/platform\/companies\/([^/]+)\/database-token$/.exec(request.url ?? "")?.[1];
  if (slug !== undefined) asked.push(`${request.method} ${slug}`);
  const status = slug === "long-ago" ? 409 : 200;
  response.writeHead(status, { "Content-Type": "application/json" });
  const data = slug === undefined ? RENEWED : { slug, token: "renewed" };
  const refused = { success: false, code: "conflict", message: "It has got another database" };
  response.end(JSON.stringify(status === 200 ? { data, paging: { next_cursor: null } } : refused));
});
beforeEach(() => {
  asked = [];
});

const renew = (...words: string[]) =>
  run(["database-token", "renew", ...words], {
    env: { ...process.env, COMPANY_OPS_URL: url(), PLATFORM_TOKEN: "token", DATA_DIR: "nowhere" },
  });

test("renews those that were not renewed today, and names the one that failed", async () => {
  const { code, stdout, stderr } = await renew("--all", "--json");
  expect(asked.sort()).toEqual(["POST long-ago", "POST never"]);
  expect(JSON.parse(stdout)).toMatchObject({
    renewed: [{ slug: "never", token: "renewed" }],
    failed: [{ slug: "long-ago" }],
    left_out: 1,
  });
  expect([code, stderr]).toEqual([1, expect.stringContaining("1 of 2 failed, run it again: long-ago")]);
});

test("renews one, whenever it was renewed, and asks for one or all", async () => {
  expect((await renew("today")).code).toBe(0);
  expect(asked).toEqual(["POST today"]);
  for (const words of [[], ["today", "--all"]])
    expect((await renew(...words)).stderr).toContain("Give SLUG or --all");
});

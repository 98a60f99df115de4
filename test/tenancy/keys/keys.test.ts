import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { SCOPES } from "#api/operations/scopes.ts";
import { CLIENT_ID, CLIENT_SECRET } from "#tenancy/keys/key-format.ts";
import { refusal, wrongField } from "../../features/refusal.ts";
import { controlRows, type Key, must, openCompany, type TestCompany } from "../../support/company.ts";
import { at, KEYS } from "./keys.ts";

const READ = "/customers/:company";
const HOUR = 3_600;
type KeyRecord = Key & Record<string, unknown>;

// The second's clock goes forward only, by hours.
const [company, own] = await Promise.all([openCompany(), openCompany()]);

const statusWith = async (key: Key, of = company) => (await of.call("GET", READ, { key })).status;

const list = (of = company) => of.read<KeyRecord[]>(KEYS);

async function rotate(key: Key, overlap: number, of = company): Promise<Key> {
  const body = { overlap_seconds: overlap };
  return must(await of.call<Key>("POST", at(key, "/rotate"), { body }), 200).body.data;
}

describe("a new key", () => {
  test("has a secret that is shown once, of the published form", async () => {
    const made = await company.key("customers:read");
    expect(made.client_id).toMatch(CLIENT_ID);
    expect(made.client_secret).toMatch(CLIENT_SECRET);
    const listed = (await list()).find(({ client_id: id }) => id === made.client_id);
    expect(listed).toMatchObject({
      secret: { configured: true, last_four: made.client_secret?.slice(-4) },
      scopes: ["customers:read"],
      rate_limit_per_minute: 600,
      messaging_rate_per_minute: 30,
      messaging_daily_cap: 1_000,
      expires_at: null,
    });
    expect(JSON.stringify(await list())).not.toContain(made.client_secret);
    expect(await statusWith(made)).toBe(200);
  });

  test("is stored as a hash of its secret only, also where its answer is kept for a retry", async () => {
    const headers = { "Idempotency-Key": "make-one-key" };
    const body = { name: "Kept", type: "secret", scopes: ["customers:read"] };
    const made = must(await company.call<Key>("POST", KEYS, { body, headers }), 201).body.data;
    const secret = made.client_secret ?? "";
    const tables = await controlRows("SELECT name FROM sqlite_schema WHERE type = 'table'");
    const dumps = await Promise.all(tables.map(({ name }) => controlRows(`SELECT * FROM "${name}"`)));
    const dump = JSON.stringify(dumps);
    expect(dump).toContain(made.client_id);
    expect(dump).toContain(createHash("sha256").update(secret).digest("hex"));
    expect(dump).not.toContain(secret);
    expect(dump).not.toContain(company.admin.client_secret);
  });

  test("that is publishable has no secret and no scopes, but origins in their canonical form", async () => {
    const made = await company.publishableKey("HTTPS://Book.Example.com:443", "https://*.school.in");
    expect(made).toMatchObject({
      client_id: expect.stringMatching(/^pk_/),
      rights: ["bookings.read", "bookings.write"],
      client_secret: null,
      secret: null,
      scopes: [],
      allowed_origins: ["https://book.example.com", "https://*.school.in"],
    });
  });

  test.each([
    [{ type: "publishable", scopes: ["customers:read"] }, "scopes"],
    [{ type: "secret", allowed_origins: ["https://a.example.com"] }, "allowed_origins"],
    [{ type: "publishable", allowed_origins: ["*"] }, "allowed_origins[0]"],
    [
      { type: "publishable", allowed_origins: ["https://a.github.io", "https://co.uk"] },
      "allowed_origins[1]",
    ],
    [{ type: "secret", scopes: ["everything"] }, "scopes[0]"],
    [{ type: "secret", rate_limit_per_minute: 0 }, "rate_limit_per_minute"],
    [{ type: "secret", rate_limit_per_minute: 1_000_001 }, "rate_limit_per_minute"],
    [{ type: "secret", expires_at: "tomorrow" }, "expires_at"],
    [{ type: "secret", expires_at: "2020-01-31T18:30:00Z" }, "expires_at"],
    [{ type: "root" }, "type"],
  ])("of %j is refused", async (fields, field) => {
    const answer = await company.call("POST", KEYS, { body: { name: "No", ...fields } });
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map((error) => error.field)).toContain(field);
  });
});

test("a change of a key's scopes and name holds at once; its secret stays", async () => {
  const key = await company.key();
  expect(await statusWith(key)).toBe(403);
  const body = { scopes: ["customers:read"], name: "Renamed" };
  const changed = must(await company.call("PATCH", at(key), { body }), 200);
  expect(changed.body.data).toMatchObject(body);
  expect(changed.text).not.toContain("client_secret");
  expect(await statusWith(key)).toBe(200);
});

test("a change gives a key no rights that are not of its kind", async () => {
  const [secret, publishable] = [await company.key(), await company.publishableKey("https://a.example.com")];
  const origins = { allowed_origins: ["https://a.example.com"] };
  for (const [key, body] of [
    [publishable, { scopes: ["customers:read"] }],
    [secret, origins],
  ] as const) {
    const answer = await company.call("PATCH", at(key), { body });
    expect(answer).toMatchObject(wrongField(Object.keys(body)[0] ?? "", "not_applicable"));
  }
  must(await company.call("PATCH", at(publishable), { body: { ...origins, scopes: [] } }), 200);
  expect((await company.call("PATCH", `${KEYS}/ck_${"0".repeat(22)}`, { body: origins })).status).toBe(404);
});

test("a key that expires is 401 from that moment by the company's clock, until it is extended", async () => {
  const at10 = new Date(Date.now() + 600_000).toISOString();
  const key = await own.makeKey({ scopes: ["customers:read"], expires_at: at10 });
  expect(await statusWith(key, own)).toBe(200);
  await own.clock(HOUR);
  expect((await own.call("GET", READ, { key })).body.code).toBe("invalid_credentials");
  must(await own.call("PATCH", at(key), { body: { expires_at: null } }), 200);
  expect(await statusWith(key, own)).toBe(200);
});

describe("rotation", () => {
  test("lets the old secret work for the overlap and not longer; the new one works at once", async () => {
    const old = await own.key("customers:read");
    const fresh = await rotate(old, HOUR, own);
    expect(fresh.client_id).toBe(old.client_id);
    expect(fresh.client_secret).toMatch(CLIENT_SECRET);
    expect(fresh.client_secret).not.toBe(old.client_secret);
    expect(await Promise.all([statusWith(old, own), statusWith(fresh, own)])).toEqual([200, 200]);
    await own.clock(2 * HOUR - 30);
    expect(await statusWith(old, own)).toBe(200);
    await own.clock(2 * HOUR + 30);
    expect(await Promise.all([statusWith(old, own), statusWith(fresh, own)])).toEqual([401, 200]);
  });

  test("without overlap ends the old secret at once, and the one before it always", async () => {
    const first = await company.key("customers:read");
    const second = await rotate(first, HOUR);
    const third = await rotate(second, HOUR);
    expect(await Promise.all([first, second, third].map((key) => statusWith(key)))).toEqual([401, 200, 200]);
    const fourth = await rotate(third, 0);
    expect(await Promise.all([second, third, fourth].map((key) => statusWith(key)))).toEqual([401, 401, 200]);
  });

  test("takes the overlaps 0, 1 hour, 1 day and 7 days only, and secret keys only", async () => {
    const key = await company.key();
    const wrong = await company.call("POST", at(key, "/rotate"), { body: { overlap_seconds: 60 } });
    expect(wrong).toMatchObject({ status: 422, body: { errors: [{ field: "overlap_seconds" }] } });
    const publishable = await company.publishableKey("https://a.example.com");
    const answer = await company.call("POST", at(publishable, "/rotate"), { body: { overlap_seconds: 0 } });
    expect(answer.status).toBe(404);
  });
});

describe("revocation", () => {
  test("ends the key at once here, takes it out of the list, and cannot be taken back", async () => {
    const key = await company.key("customers:read");
    expect(await statusWith(key)).toBe(200);
    const answer = must(await company.call("DELETE", at(key)), 200);
    expect(answer.body.data).toEqual({ client_id: key.client_id, revoked: true });
    expect((await company.call("GET", READ, { key })).body.code).toBe("invalid_credentials");
    expect((await list()).map(({ client_id: id }) => id)).not.toContain(key.client_id);
    expect((await company.call("DELETE", at(key))).status).toBe(404);
    expect((await company.call("PATCH", at(key), { body: { name: "Back" } })).status).toBe(404);
    expect((await company.call("POST", at(key, "/rotate"), { body: { overlap_seconds: 0 } })).status).toBe(
      404,
    );
  });

  test("of the key that asks for it is refused, so that no company locks itself out", async () => {
    expect(await company.call("DELETE", at(company.admin))).toMatchObject(refusal(409, "conflict"));
  });
});

test("the administrator's key holds every scope", async () => {
  const [admin] = await list();
  expect(admin).toMatchObject({ client_id: company.admin.client_id, scopes: SCOPES });
});

test("every change of a key is in the audit log of its own company's keys, newest first, and in no other", async () => {
  const key = await company.key();
  must(await company.call("PATCH", at(key), { body: { name: "Renamed" } }), 200);
  await rotate(key, 0);
  const revoked = must(await company.call("DELETE", at(key)), 200);
  const logOf = (of: TestCompany) =>
    of.read<Record<string, string>[]>("/settings/:company/audit-log/keys?limit=100");
  const log = await logOf(company);
  expect(log[0]).toEqual({
    id: expect.stringMatching(/^[1-9]\d*$/),
    at: expect.stringMatching(/Z$/),
    actor: company.admin.client_id,
    action: "revokeKey",
    record: key.client_id,
    request_id: revoked.headers.get("X-Request-Id"),
    note: null,
    changed: null,
    values: [],
  });
  const changes = log.filter(({ record }) => record === key.client_id).map(({ action }) => action);
  expect(changes).toEqual(["revokeKey", "rotateKey", "updateKey", "createKey"]);
  // Slugs that begin alike are different companies.
  const neighbour = await openCompany({ slug: `${company.slug}-2` });
  expect(await logOf(neighbour)).toEqual([]);
  await neighbour.key();
  expect((await logOf(neighbour)).map(({ action }) => action)).toEqual(["createKey"]);
  expect(await logOf(company)).toEqual(log);
});

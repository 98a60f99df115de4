import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { REGISTERED } from "../../features/commerce.ts";
import { captured } from "../../features/leads/leads.ts";
import { CONFIGS, sendSms, until } from "../../features/messaging/provider.ts";
import { deliver, placeOrder } from "../../features/storefront/shop.ts";
import { must, openCompany, randomSlug, type TestCompany } from "../../support/company.ts";
import { type Connected, connectGateway } from "../../support/gateways.ts";
import { send } from "../../support/http.ts";
import { HUMAN } from "../../support/outside.ts";
import { ownService } from "../../support/own-service.ts";
import {
  controlOf,
  databasesOf,
  encryptedOtherwise,
  keyOf,
  startRotation,
  stateOf,
  untilLookedThrough,
} from "./rotation.ts";

const [OLD, NEW] = [keyOf(7), keyOf(8)];
const GATEWAYS = "/settings/:company/payment-gateways";
const ERASED_NUMBER = "919845088888";
const PROVIDERS = "/settings/:company/messaging-providers";

// A service of its own: its master key changes.
const service = await ownService([], { variables: { MASTER_KEY: OLD } });
const { address } = service;

/** A company with a secret of every kind, and what shows that each opens. */
class Sealed {
  readonly #replays: { answer: string; again: () => Promise<string> }[] = [];
  readonly company: TestCompany;
  readonly connected: Connected;
  /** What the gateway signs with since its webhook secret was changed. */
  readonly #changed = "signing_changed_secret";

  private constructor(company: TestCompany, connected: Connected) {
    this.company = company;
    this.connected = connected;
  }

  static async open(): Promise<Sealed> {
    const company = await openCompany(REGISTERED, address);
    const sealed = new Sealed(company, await connectGateway(company, "razorpay"));
    const gateway = `${GATEWAYS}/${sealed.connected.id}`;
    must(await company.call("PATCH", gateway, { body: { webhook_secret: sealed.#changed } }), 200);
    const settings = { body: { turnstile_secret: "0x4AAAAAAA-very-secret-9xQ2" } };
    must(await company.call("PATCH", "/settings/:company/lead-settings", settings), 200);
    const [body, headers] = [CONFIGS.msg91(), { "Idempotency-Key": randomUUID() }];
    await sealed.#remember(() => company.call("POST", PROVIDERS, { body, headers }), 201);
    const keyHeaders = { "Idempotency-Key": randomUUID() };
    const keyBody = { name: "Shop", type: "secret", scopes: ["storefront"] };
    await sealed.#remember(
      () => company.call("POST", "/settings/:company/keys", { body: keyBody, headers: keyHeaders }),
      201,
    );
    // The key of the hashes that an erased opt-out has.
    const optout = { body: { channel: "sms", address: ERASED_NUMBER } };
    must(await company.call("POST", "/settings/:company/optouts", optout), 201);
    const erasure = { body: { phone: ERASED_NUMBER } };
    must(await company.call("POST", "/settings/:company/erasures", erasure), 201);
    const opening = { slug: randomSlug(), name: "Remembered" };
    await sealed.#platform("/platform/companies", opening);
    await sealed.#platform(`/platform/companies/${company.slug}/keys`);
    return sealed;
  }

  async #platform(path: string, body?: unknown): Promise<void> {
    const headers = {
      Authorization: `Bearer ${address.platformToken}`,
      "Idempotency-Key": randomUUID(),
    };
    await this.#remember(() => send("POST", path, { body, headers, service: address }), 201);
  }

  async #remember(
    call: () => Promise<{ status: number; text: string; headers: Headers }>,
    status: number,
  ): Promise<void> {
    const first = await call();
    expect(first.status, first.text).toBe(status);
    this.#replays.push({
      answer: first.text,
      again: async () => {
        const again = await call();
        expect(again.headers.get("Idempotent-Replayed")).toBe("true");
        return again.text;
      },
    });
  }

  async opens(): Promise<void> {
    const { company, connected } = this;
    for (const { answer, again } of this.#replays) expect(await again()).toBe(answer);
    await placeOrder(company);
    for (const secret of [connected.merchant.webhook_secret, this.#changed]) {
      const merchant = { ...connected.merchant, webhook_secret: secret };
      expect((await deliver(company, { merchant }, { event: "nothing.known", payload: {} })).status).toBe(
        200,
      );
    }
    must(await company.call("GET", PROVIDERS), 200);
    const { id } = must(await sendSms(company), 202).body.data;
    await until(company, id, "submitted");
    const unwanted = must(await sendSms(company, { to: ERASED_NUMBER }), 202).body.data;
    await until(company, unwanted.id, "rejected");
    await captured(company, { turnstile_token: HUMAN, email: `m${randomUUID()}@mail.example` });
  }
}

test("after a rotation the old key is dropped and everything opens, also that of a suspended company", async () => {
  const [one, two] = [await Sealed.open(), await Sealed.open()];
  await one.opens();
  // The first link of a log makes its key, some time after the first write.
  await one.company.untilChained();
  must(await two.company.patch({ status: "suspended" }), 200);
  const before = await stateOf(address);
  expect(before).toEqual({
    current_key_id: expect.stringMatching(/^[0-9a-f]{12}$/),
    previous_key_id: null,
    rotation: null,
  });

  await service.restart({ MASTER_KEY: NEW, PREVIOUS_MASTER_KEY: OLD });
  await one.opens();
  const started = await startRotation(address);
  expect(started.previous_key_id).toBe(before.current_key_id);
  expect(started.rotation).toMatchObject({ status: "waiting", started_by: "platform" });
  expect(started.rotation?.databases).toEqual({ waiting: 5, done: 0, failed: 0 });
  const { current_key_id: current, rotation } = await untilLookedThrough(service);
  expect(rotation).toMatchObject({ key_id: current, status: "done" });
  expect(rotation?.values).toEqual([{ key_id: current, values: expect.any(Number) }]);
  const databases = await databasesOf(address);
  expect(databases[0]?.database).toBe("control");
  const columns = databases.flatMap(({ values }) => values.map(({ column }) => column));
  expect([...new Set(columns)].sort()).toEqual([
    "audit_keys.sealed",
    "companies.database_token",
    "gateway_accounts.credentials",
    "gateway_accounts.previous_webhook_secret",
    "gateway_accounts.webhook_secret",
    "lead_settings.turnstile_secret",
    "mark_key.sealed",
    "messaging_providers.sealed_config",
    "messaging_providers.sealed_token",
    "operations.snapshot.admin_key.sealed_secret",
    "operations.snapshot.sealed_secret",
    "operations.snapshot.sealed_token",
  ]);
  for (const client of [controlOf(service), one.company.database(), two.company.database()])
    expect(await encryptedOtherwise(client, current)).toEqual([]);

  await service.restart({ MASTER_KEY: NEW });
  must(await two.company.patch({ status: "active" }), 200);
  await one.opens();
  await two.opens();
  expect((await stateOf(address)).previous_key_id).toBeNull();
}, 300_000);

test("the audit logs say who started it, in the control database and in each company's", async () => {
  const company = await openCompany(REGISTERED, address);
  await connectGateway(company, "razorpay");
  await service.restart({ MASTER_KEY: keyOf(9), PREVIOUS_MASTER_KEY: NEW });
  await startRotation(address);
  const { current_key_id: record } = await untilLookedThrough(service);
  const entry = { actor: "platform", record, note: null };
  const select = "SELECT actor, action, record, note FROM audit_log WHERE record = ? ORDER BY id";
  const { rows } = await controlOf(service).execute(select, [record]);
  expect(rows.map((row) => ({ ...row }))).toEqual([
    { ...entry, action: "startKeyRotation" },
    { ...entry, action: "resealSecrets" },
  ]);
  const log = must(await company.call<Record<string, unknown>[]>("GET", "/settings/:company/audit-log"), 200);
  expect(log.body.data[0]).toMatchObject({ actor: "platform", action: "resealSecrets", record });
  const entries = log.body.data.filter(({ action }) => action === "resealSecrets");
  expect(entries).toHaveLength(1);
}, 300_000);

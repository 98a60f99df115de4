import { expect, inject, test } from "vitest";
import { openCompany } from "../../support/company.ts";
import { newCustomer } from "../commerce.ts";
import { detailOf, ENDPOINTS, openReceiver } from "./endpoints.ts";

const refused = { status: 422, body: { errors: [{ field: "url" }] } };

const create = async (url: string) => {
  const company = await openCompany();
  return company.call("POST", ENDPOINTS, { body: { url, types: ["*"] } });
};

// Which hosts are public is said by test/shared/network/public-host.test.ts.
test.each([
  ...["http://hooks.example.com/", "https://127.0.0.1/", "https://hooks.example.com:8443/", "hooks"],
  ...["https://hooks.example.com/ x", "https://hooks.example.com/\n", "https://hooks.exa\tmple.com/"],
])("%j is refused when it is saved, by its letters", async (url) => {
  expect(await create(url)).toMatchObject(refused);
});

test.each(["loopback", "half", "metadata", "mapped", "unique", "nowhere"])(
  "a name that stands for no public address alone is refused: %s",
  async (label) => {
    expect(await create(`https://${label}.example.com/`)).toMatchObject(refused);
  },
);

test("a name behind an alias and in another script is taken; one that cannot be resolved is 503, which names a resolver that does not answer", async () => {
  expect((await create("https://alias.example.com/")).status).toBe(201);
  expect((await create("https://xn--bcher-kva.example.com/")).status).toBe(201);
  expect((await create(`https://${"a".repeat(63)}.alias.example.com/`)).status).not.toBe(503);
  const { host } = new URL(inject("service").outsideUrl);
  const unknown = "The name of the host could not be looked up";
  for (const [name, why] of [
    ["silent", `, for the resolver ${host} did not answer`],
    ["broken", ""],
  ])
    expect(await create(`https://${name}.example.com/`)).toMatchObject({
      status: 503,
      body: { code: "unavailable", message: `${unknown}${why}: this call did nothing` },
    });
});

test("the address of this service itself is refused", async () => {
  const { isAllowed } = await import("#core/outside-address.ts");
  const services = { publicOrigin: "https://api.example.com", receiver: "http://127.0.0.1:8788/webhooks/" };
  const allowed = (url: string) => isAllowed({ services } as never, url);
  expect(allowed("https://api.example.com/v1/customers")).toBe(false);
  expect(allowed("https://hooks.example.com/")).toBe(true);
  expect(allowed("http://127.0.0.1:8788/webhooks/one")).toBe(true);
  expect(allowed("http://localhost:8788/webhooks/one")).toBe(true);
  expect(allowed("http://localhost:8789/webhooks/one")).toBe(false);
  expect(allowed("https://localhost:8788/webhooks/one")).toBe(false);
  for (const rest of ["", "a/b", "a/", "a.b", "a?b=1", "a#b", "%61", "x".repeat(65)])
    expect(allowed(`http://127.0.0.1:8788/webhooks/${rest}`), rest).toBe(false);
  expect(allowed(`http://127.0.0.1:8788/webhooks/${"x".repeat(64)}`)).toBe(true);
  expect(allowed("http://127.0.0.1:8788/")).toBe(false);
  expect(allowed("http://127.0.0.1:8788/webhooks/../inbox")).toBe(false);
  expect(allowed("http://127.0.0.1:8788@hooks.example.com/webhooks/")).toBe(false);
});

test.each([
  ["has a private address now", "https://loopback.example.com/", "refused_address"],
  ["is no public name any more", "https://10.0.0.8/", "refused_address"],
])("nothing is sent to an endpoint whose host %s, an hour after it was judged", async (_what, url, error) => {
  const { company, id, untilDeliveries } = await openReceiver({ url: "https://hooks.example.com/" });
  await company.rows("UPDATE event_endpoints SET url = ?, checked_at = checked_at - 3600001", url);
  await newCustomer(company);
  const [delivery] = await untilDeliveries({ attempt_count: 1, state: "pending" });
  const { attempts } = await detailOf(company, id, String(delivery?.id));
  expect(attempts).toMatchObject([{ status: null, error, response_excerpt: "" }]);
});

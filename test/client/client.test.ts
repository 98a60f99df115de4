import { describe, expect, it } from "vitest";
import { ApiError, type CompanyClient, createCompanyClient, NoAnswerError } from "#client";
import { openCompany } from "#test/company.ts";

const CUSTOMER = { name: "Meera Nair", state: "Karnataka", pincode: "560001" };

const company = await openCompany();
const path = { company: company.slug };

/** A client of the company; `send` stands between it and the service. */
function clientOf(send?: (request: Request, attempt: number) => Promise<Response>, timeLimit = 20_000) {
  let attempt = 0;
  const client = createCompanyClient({
    baseUrl: `${company.url}/v1`,
    clientId: company.admin.client_id,
    clientSecret: String(company.admin.client_secret),
    timeLimit,
    ...(send && { fetch: (request: Request) => send(request, ++attempt) }),
  });
  return { client, attempts: () => attempt };
}

function nameCustomer(client: CompanyClient, name: string) {
  return client.post("/customers/{company}", { params: { path }, body: { ...CUSTOMER, name } });
}

const customersOf = async (name: string) =>
  (await company.read<unknown[]>(`/customers/:company?q=${encodeURIComponent(name)}`)).length;

it("a list goes through all pages, and ends where the caller stops", async () => {
  const { client, attempts } = clientOf((request) => fetch(request));
  for (const name of ["List one", "List two", "List three"]) await nameCustomer(client, name);
  const query = { limit: 1, q: "List" };
  const names: string[] = [];
  for await (const { name } of client.list("/customers/{company}", { params: { path, query } }))
    names.push(name);
  expect(names.sort()).toEqual(["List one", "List three", "List two"]);
  const before = attempts();
  for await (const _ of client.list("/customers/{company}", { params: { path, query } })) break;
  expect(attempts() - before).toBe(1);
});

it("sends a body with a file as a form, and leaves out what is undefined", async () => {
  const { client } = clientOf();
  const body = { title: "Service engineer", description_html: "<p>Machines</p>", is_published: true };
  const { data: job } = await client.post("/settings/{company}/jobs", { params: { path }, body });
  const resume = new File(["%PDF-1.4\n%%EOF\n"], "resume.pdf", { type: "application/pdf" });
  const unset = { last_name: undefined } as unknown as { last_name?: string };
  const applied = await client.post("/recruitment/{company}/jobs/{slug}/apply", {
    params: { path: { ...path, slug: job.slug } },
    body: {
      first_name: "Asha",
      email: "asha@example.com",
      resume,
      ...unset,
      skills: JSON.stringify(["PLC"]),
    },
  });
  const { data } = await client.get("/settings/{company}/applications/{id}", {
    params: { path: { ...path, id: String(applied.data.id) } },
  });
  expect(data).toMatchObject({ first_name: "Asha", last_name: null, skills: ["PLC"] });
});

describe.concurrent("a refusal", () => {
  it("is an ApiError with code, status, fields and the request's id", async () => {
    const { client } = clientOf();
    const body = { ...CUSTOMER, email: "meera", payment_terms_days: -1 };
    const error = await client.post("/customers/{company}", { params: { path }, body }).catch((e) => e);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 422, code: "validation_failed" });
    expect(error.errors.map(({ field }: { field: string }) => field)).toEqual([
      "email",
      "payment_terms_days",
    ]);
    expect(error.requestId).toMatch(/^req_/);
    expect(error.message).toBe(error.problem.message);
  });

  it("has the code unexpected_answer where a proxy answered", async () => {
    const { client } = clientOf(async () => new Response("<h1>Bad gateway</h1>", { status: 502 }));
    const error = await nameCustomer(client, "Proxy").catch((e) => e);
    expect(error).toMatchObject({
      name: "ApiError",
      status: 502,
      code: "unexpected_answer",
      problem: undefined,
    });
  });
});

describe.concurrent("a write whose answer is lost", () => {
  it("is sent again with its key, and done once", async () => {
    const keys = new Set<string | null>();
    const { client, attempts } = clientOf(async (request, attempt) => {
      keys.add(request.headers.get("Idempotency-Key"));
      const response = await fetch(request);
      if (attempt < 3) throw new TypeError("The connection was cut.");
      return response;
    });
    const { data } = await nameCustomer(client, "Once only");
    expect(data.id).toMatch(/^\d+$/);
    expect({ attempts: attempts(), keys: keys.size }).toEqual({ attempts: 3, keys: 1 });
    expect(await customersOf("Once only")).toBe(1);
  });

  it("ends with the key where the time limit is over, and that key finds it", async () => {
    const { client } = clientOf(async (request) => {
      await fetch(request);
      throw new TypeError("The connection was cut.");
    }, 1_200);
    const error = await nameCustomer(client, "Found by its key").catch((e) => e);
    expect(error).toBeInstanceOf(NoAnswerError);
    const header = { "Idempotency-Key": String(error.idempotencyKey) };
    const body = { ...CUSTOMER, name: "Found by its key" };
    await clientOf().client.post("/customers/{company}", { params: { path, header }, body });
    expect(await customersOf("Found by its key")).toBe(1);
  });

  it("takes the caller's own key", async () => {
    const keys: (string | null)[] = [];
    const { client } = clientOf((request) => {
      keys.push(request.headers.get("Idempotency-Key"));
      return fetch(request);
    });
    const header = { "Idempotency-Key": "order-4711" };
    await client.post("/customers/{company}", { params: { path, header }, body: CUSTOMER });
    expect(keys).toEqual(["order-4711"]);
  });
});

/** An answer of the API that did nothing, or does not know what it did. */
function refusal(status: number, code: string, retryAfter = 1): Response {
  const headers = { "Content-Type": "application/json", "Retry-After": String(retryAfter) };
  return new Response(JSON.stringify({ success: false, code, message: code }), { status, headers });
}

describe.concurrent("another attempt", () => {
  it.for([
    [429, "rate_limited"],
    [503, "unavailable"],
    [503, "outcome_unknown"],
    [409, "idempotency_key_in_use"],
  ] as const)("follows %s %s, after its Retry-After", async ([status, code]) => {
    const { client, attempts } = clientOf(async (request, attempt) =>
      attempt === 1 ? refusal(status, code) : fetch(request),
    );
    const begun = performance.now();
    await nameCustomer(client, `After ${code}`);
    expect(attempts()).toBe(2);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(990);
  });

  it.for([
    [409, "conflict"],
    [500, "internal_error"],
  ] as const)("does not follow %s %s", async ([status, code]) => {
    const { client, attempts } = clientOf(async () => refusal(status, code));
    await expect(nameCustomer(client, "Refused")).rejects.toMatchObject({ status, code });
    expect(attempts()).toBe(1);
  });

  it("is the fifth at most", async () => {
    const { client, attempts } = clientOf(async () => refusal(503, "unavailable", 0.01));
    await expect(nameCustomer(client, "Never")).rejects.toMatchObject({ status: 503 });
    expect(attempts()).toBe(5);
  });

  it("does not begin where its wait is longer than the time limit", async () => {
    const { client, attempts } = clientOf(async () => refusal(429, "rate_limited", 60));
    await expect(nameCustomer(client, "Too long")).rejects.toMatchObject({
      status: 429,
      code: "rate_limited",
    });
    expect(attempts()).toBe(1);
  });

  it("ends with the caller's signal", async () => {
    const { client } = clientOf(async () => refusal(503, "unavailable", 5));
    const signal = AbortSignal.timeout(200);
    const call = client.get("/customers/{company}", { params: { path }, signal });
    await expect(call).rejects.toMatchObject({ name: "TimeoutError" });
  });
});

describe.concurrent("a checkout, which ignores keys", () => {
  const body = {
    items: [{ name: "Gift card", quantity: 1, unit_price: 500 }],
    currency: "INR" as const,
    source_website: "shop.example.com",
    customer: { name: "Meera", email: "meera@example.com" },
    return_url: "https://shop.example.com/thanks",
    cancel_url: "https://shop.example.com/",
  };
  const checkOut = (client: CompanyClient) =>
    client.post("/storefront/{company}/checkout", { params: { path }, body });

  it("is not sent again where its answer is lost, or its outcome unknown", async () => {
    const cut = clientOf(async () => {
      throw new TypeError("The connection was cut.");
    });
    await expect(checkOut(cut.client)).rejects.toMatchObject({ name: "NoAnswerError", idempotencyKey: null });
    const unknown = clientOf(async () => refusal(503, "outcome_unknown"));
    await expect(checkOut(unknown.client)).rejects.toMatchObject({ code: "outcome_unknown" });
    expect([cut.attempts(), unknown.attempts()]).toEqual([1, 1]);
  });

  it("is sent again where nothing was done", async () => {
    const { client, attempts } = clientOf(async (_, attempt) =>
      attempt === 1 ? refusal(503, "unavailable") : refusal(400, "payment_gateway_error"),
    );
    await expect(checkOut(client)).rejects.toMatchObject({ code: "payment_gateway_error" });
    expect(attempts()).toBe(2);
  });
});

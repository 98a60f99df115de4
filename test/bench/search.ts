// npm run bench:search: what a search among 100,000 customers costs, beside the plain list of the same company.
import { databaseOf, PLATFORM_TOKEN, startService } from "../support/service.ts";

const CUSTOMERS = 100_000;
const CALLS = 200;
const QUERIES = ["", "q=customer", "q=customer%20099999", "q=98765", "q=zzz", "q=cu"];

const service = await startService();
try {
  const headers = await openCompany();
  await fill();
  for (const query of QUERIES) {
    const times: number[] = [];
    for (let call = 0; call < CALLS; call += 1) {
      const begun = performance.now();
      const response = await fetch(`${service.url}/v1/customers/search-bench?${query}`, { headers });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${query} answered ${response.status}`);
      times.push(performance.now() - begun);
    }
    times.sort((a, b) => a - b);
    const at = (share: number) => (times[Math.floor(CALLS * share)] ?? 0).toFixed(2).padStart(7);
    console.log(`${(query || "plain list").padEnd(26)} p50 ${at(0.5)} ms  p99 ${at(0.99)} ms`);
  }
} finally {
  await service.stop();
}

async function openCompany(): Promise<Record<string, string>> {
  const response = await fetch(`${service.url}/platform/companies`, {
    method: "POST",
    headers: { Authorization: `Bearer ${PLATFORM_TOKEN}`, "Content-Type": "application/json" },
    body: JSON.stringify({ slug: "search-bench", name: "Search" }),
  });
  const { data } = (await response.json()) as {
    data: { admin_key: { client_id: string; client_secret: string } };
  };
  const { client_id: id, client_secret: secret } = data.admin_key;
  const headers = { "X-Client-Id": id, "X-Client-Secret": secret, "Content-Type": "application/json" };
  await fetch(`${service.url}/v1/settings/search-bench/keys/${id}`, {
    method: "PATCH",
    headers,
    body: JSON.stringify({ rate_limit_per_minute: 1_000_000 }),
  });
  return headers;
}

/** Straight into the database: through the API it would take minutes, and measure something else. */
async function fill(): Promise<void> {
  const database = await databaseOf(service, "search-bench");
  await database.batch(
    [
      {
        sql: `INSERT INTO customers (operation, name, email, phone, phone_digits, gst_category, state, pincode, country, currency, created_at, updated_at)
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
          SELECT 'bench-' || i, printf('Customer %06d', i), printf('c%d@example.com', i), printf('98%08d', i * 7919 % 100000000),
            printf('98%08d', i * 7919 % 100000000), 'unregistered', 'Karnataka', '560001', 'IN', 'INR', i, i FROM n`,
        args: [BigInt(CUSTOMERS)],
      },
    ],
    "write",
  );
}

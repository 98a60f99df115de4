// npm run bench:work-items: what a page of 100,000 work items costs by each filter, its first page and its last, and
// that every filter goes by an index. The ratio is of medians, the last page's to the first's.
import type { Client } from "@libsql/client/http";
import { databaseOf, PLATFORM_TOKEN, startService } from "../support/service.ts";

const ITEMS = 100_000;
const CALLS = 100;
const PAGE = 25;
const FILTERS = [
  "",
  "open_only=true",
  "type=bug",
  "type=bug,task,epic",
  "state_category=in_progress",
  "status=in_qa",
  "assigned_to=1",
  "iteration_id=1",
  "sprint_id=1",
  "area_id=2",
  "area_id=1&area_subtree=true",
  "parent_id=1",
  "q=upi",
  "q=qz",
  "updated_since=1970-01-01T00:00:00Z",
];

type Page = { data: { id: number; updated_at: string }[]; paging: { next_cursor: string | null } };

const service = await startService();
try {
  const { headers, database } = await openCompany();
  await fill(database);
  const base = `${service.url}/v1/projects/items-bench/projects/1/work-items?`;
  const get = async (query: string) => {
    const response = await fetch(base + query, { headers });
    if (!response.ok) throw new Error(`${query} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Page;
  };
  console.log(`${"filter".padEnd(36)} first page   last page   ratio`);
  for (const filter of FILTERS) {
    const last = await lastPage(get, `limit=100&${filter}`);
    const query = `limit=${PAGE}&${filter}`;
    const first = await median(() => get(query));
    const end = await median(() => get(query + last));
    const columns = [first, end].map((milliseconds) => `${milliseconds.toFixed(2)} ms`.padStart(10));
    console.log(`${(filter || "none").padEnd(36)} ${columns.join("  ")}   ${(end / first).toFixed(2)}`);
  }
} finally {
  await service.stop();
}

/** The cursor of a page near the end, as the query has it: with a whole page to come. */
async function lastPage(get: (query: string) => Promise<Page>, query: string): Promise<string> {
  let [before, cursor] = ["", ""];
  for (;;) {
    const page = await get(query + cursor);
    if (page.paging.next_cursor === null) return before;
    [before, cursor] = [cursor, `&cursor=${encodeURIComponent(page.paging.next_cursor)}`];
  }
}

async function median(call: () => Promise<Page>): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < CALLS; count += 1) {
    const begun = performance.now();
    await call();
    times.push(performance.now() - begun);
  }
  return times.sort((a, b) => a - b)[CALLS / 2] ?? 0;
}

async function openCompany(): Promise<{ headers: Record<string, string>; database: Client }> {
  const json = { "Content-Type": "application/json" };
  const response = await fetch(`${service.url}/platform/companies`, {
    method: "POST",
    headers: { Authorization: `Bearer ${PLATFORM_TOKEN}`, ...json },
    body: JSON.stringify({ slug: "items-bench", name: "Items" }),
  });
  const { data } = (await response.json()) as {
    data: { admin_key: { client_id: string; client_secret: string } };
  };
  const { client_id: id, client_secret: secret } = data.admin_key;
  const headers = { "X-Client-Id": id, "X-Client-Secret": secret, ...json };
  await fetch(`${service.url}/v1/settings/items-bench/keys/${id}`, {
    method: "PATCH",
    headers,
    body: JSON.stringify({ rate_limit_per_minute: 1_000_000 }),
  });
  return { headers, database: await databaseOf(service, "items-bench") };
}

/** Straight into the database: through the API it would take minutes, and measure something else. */
async function fill(database: Client): Promise<void> {
  const node = "operation, project_id, name, created_at, updated_at";
  await database.batch(
    [
      "INSERT INTO projects (operation, name, code, created_at, updated_at) VALUES ('b', 'Bench', 'BENCH', 0, 0)",
      "INSERT INTO employees (operation, name, created_at, updated_at) VALUES ('b', 'Kavya', 0, 0)",
      `INSERT INTO iterations (${node}) VALUES ('b', 1, 'Release', 0, 0)`,
      `INSERT INTO areas (${node}) VALUES ('b', 1, 'Top', 0, 0)`,
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
        INSERT INTO areas (${node}, parent_id) SELECT 'b' || i, 1, 'Area ' || i, 0, 0, 1 FROM n`,
      `INSERT INTO sprints (${node}) VALUES ('b', 1, 'Sprint', 0, 0)`,
      {
        sql: `INSERT INTO work_items (operation, project_id, number, reference, type, title, priority, state,
            state_category, status, finished_at, assigned_to, iteration_id, sprint_id, area_id, parent_id,
            created_by_key, created_at, updated_at, state_changed_at)
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
          SELECT 'bench-' || i, 1, i, 'BENCH-' || i,
            CASE i % 4 WHEN 0 THEN 'bug' WHEN 1 THEN 'task' WHEN 2 THEN 'epic' ELSE 'user_story' END,
            iif(i % 10 = 0, 'Pay by UPI ', 'Item ') || i, 'medium', 'State',
            iif(i % 3 = 0, 'completed', 'in_progress'), iif(i % 5 = 0, 'in_qa', NULL), iif(i % 3 = 0, i, NULL),
            iif(i % 20 = 0, 1, NULL), iif(i % 20 = 1, 1, NULL), iif(i % 20 = 2, 1, NULL), 2 + i % 50,
            iif(i % 20 = 3, 1, NULL), 'bench', i, i, i FROM n`,
        args: [BigInt(ITEMS)],
      },
      { sql: "UPDATE projects SET last_number = ?", args: [BigInt(ITEMS)] },
    ],
    "write",
  );
}

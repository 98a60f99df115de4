// `npm run bench:uploads`: the memory that the Worker's isolate takes for ten resumes of 10 MB at once.
import { pdf } from "../support/documents.ts";
import { openHeap } from "../support/heap.ts";
import { PLATFORM_TOKEN, type Service, startService } from "../support/service.ts";

const AT_ONCE = 10;
const ROUNDS = 8;
const SAMPLE_MS = 10;
const RESUME = pdf(10 * 1024 * 1024);

const service = await startService(undefined, [], { inspected: true });
try {
  await measure(service);
} finally {
  await service.stop();
}

async function measure({ url, inspector }: Service): Promise<void> {
  const platform = { Authorization: `Bearer ${PLATFORM_TOKEN}` };
  const company = await post(`${url}/platform/companies`, platform, { slug: "uploads", name: "Uploads" });
  const { client_id, client_secret } = company.data.admin_key;
  const key = { "X-Client-Id": client_id, "X-Client-Secret": client_secret };
  const job = { title: "Welder", description_html: "<p>Join plates.</p>" };
  await post(`${url}/v1/settings/uploads/jobs`, key, job);
  const heap = await openHeap(await inspector());

  let peak = 0;
  const look = async () => {
    peak = Math.max(peak, await heap.megabytes());
  };
  await look();
  console.log(`${Math.round(peak)} MB before`);
  const watch = setInterval(() => void look(), SAMPLE_MS);
  const statuses: Record<number, number> = {};
  for (let round = 1; round <= ROUNDS; round += 1) {
    const calls = Array.from({ length: AT_ONCE }, (_, n) => {
      const form = new FormData();
      form.append("first_name", "Asha");
      form.append("email", `a${round}-${n}@mail.example`);
      form.append("resume", new Blob([RESUME]), "resume.pdf");
      const address = `${url}/v1/recruitment/uploads/jobs/welder/apply`;
      return fetch(address, { method: "POST", headers: key, body: form });
    });
    for (const { status } of await Promise.all(calls)) statuses[status] = (statuses[status] ?? 0) + 1;
    console.log(`round ${round}: ${Math.round(peak)} MB at most so far`);
  }
  clearInterval(watch);
  heap.close();
  console.log(`${ROUNDS} rounds of ${AT_ONCE}, by status: ${JSON.stringify(statuses)}`);
}

async function post(address: string, headers: Record<string, string>, body: object) {
  const response = await fetch(address, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json() as Promise<{ data: { admin_key: { client_id: string; client_secret: string } } }>;
}

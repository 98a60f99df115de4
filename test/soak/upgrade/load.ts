import { setTimeout as sleep } from "node:timers/promises";
import { customerBody } from "../../features/commerce.ts";
import type { TestCompany } from "../../support/company.ts";

/** What an attempt of a request to a database may take, and what the call does besides. */
const LIMIT_MS = 15_000;
const PAUSE_MS = 100;
const REFUSALS = ["upgrading", "unavailable", "outcome_unknown"];

/** What calls have met while their companies were upgraded. */
export class Load {
  /** Names of customers whose creation was answered, by company. */
  readonly written = new Map<TestCompany, string[]>();
  /** How often each answer came: a status, or the code of a 503; `cut` where no answer came. */
  readonly answers: Record<string, number> = {};
  readonly wrong: string[] = [];
  readonly durations: number[] = [];
  calls = 0;

  /** Creates one customer, however often it has to be sent, and then reads all that were created so far. */
  async write(company: TestCompany): Promise<void> {
    const name = `customer-${this.calls++}`;
    const headers = { "Idempotency-Key": name };
    const made = await this.#ask(company, "POST", "/customers/:company", {
      body: { ...customerBody, name },
      headers,
    });
    if (made !== 201) this.wrong.push(`${company.slug} answered ${made} to a creation`);
    const names = this.written.get(company) ?? [];
    this.written.set(company, [...names, name]);
    const seen = await this.#ask(company, "GET", "/customers/:company?limit=100");
    if (seen !== 200) this.wrong.push(`${company.slug} answered ${seen} to a list`);
  }

  /** The share of calls, such as 0.99, that was answered within so many milliseconds. */
  within(share: number): number {
    const sorted = this.durations.toSorted((one, other) => one - other);
    return Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0);
  }

  async #ask(
    company: TestCompany,
    method: string,
    path: string,
    sent: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<number> {
    for (;;) {
      // Another client's may be answered while the list is on its way.
      const known = this.written.get(company) ?? [];
      const begun = performance.now();
      const answer = await company.call<{ name: string }[]>(method, path, sent).catch(() => undefined);
      const took = performance.now() - begun;
      const { status = 0, body } = answer ?? {};
      const what = answer === undefined ? "cut" : status === 503 ? String(body?.code) : String(status);
      this.answers[what] = (this.answers[what] ?? 0) + 1;
      if (answer !== undefined) this.durations.push(took);
      if (took > LIMIT_MS) this.wrong.push(`${company.slug} answered ${what} after ${took} ms`);
      if (status === 503) {
        if (!REFUSALS.includes(String(body?.code)) || !answer?.headers.has("Retry-After"))
          this.wrong.push(`${company.slug} answered 503 ${answer?.text}`);
      } else if (answer !== undefined) {
        if (method === "GET") this.#compare(company, known, body?.data ?? []);
        return status;
      }
      await sleep(PAUSE_MS);
    }
  }

  #compare({ slug }: TestCompany, known: readonly string[], listed: readonly { name: string }[]): void {
    const names = listed.map(({ name }) => name);
    for (const name of known)
      if (names.filter((one) => one === name).length !== 1)
        this.wrong.push(`${slug} lists ${name} ${names.filter((one) => one === name).length} times`);
  }
}

import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { systemContext } from "#api/call-context.ts";
import { directoryOf } from "#api/environment.ts";
import type { Ctx } from "#core/context.ts";
import { type CompanyRecord, findCompany } from "#tenancy/directory.ts";
import type { Env } from "../../../src/env.ts";
import type { MessagingTask } from "../../../src/features/messaging/dispatch/jobs.ts";
import { deadLetterJob, type AnyJob as Job, runJob } from "../../../src/wiring/jobs.ts";
import "./worker-runtime.ts";
import "../../support/declarations.ts";
import { inject } from "vitest";
import { HOURLY_CHANGES } from "../../../src/wiring/changes.ts";
import type { TestCompany } from "../../support/company.ts";
import { Draw, SEED } from "../draw.ts";
import { environmentBefore, PROVIDERS } from "./environment.ts";
import { FaultyProviders } from "./faulty-providers.ts";

const MOST_RETRIES = 8;
const REDELIVERED_AFTER_MS = 30_000;
const HOUSEKEEPING_MS = 10 * 60_000;
const AT_ONCE = 8;
const OVER = new Set<unknown>(["dispatched", "dead"]);
const NEVER = -1;
const DEAD = "The run has died";
const RECIPIENTS = `SELECT r.*, m.channel, json_extract(r.error, '$.code') AS reason,
    (SELECT count(*) FROM marks WHERE recipient = r.id) AS marks
  FROM message_recipients r JOIN messages m ON m.id = r.message_id ORDER BY r.id`;
type Letter = { body: Job; attempts: number; dueAt: number; dead: boolean };
/** A run of a job: `passed` counts the points at which it may die. */
type Run = { crash: () => void; diesAt: number; passed: number; dead: boolean };

/** How often something fails, and the platform's mailer where the company has no provider. */
export type Options = { faults?: number; mailer?: Env["EMAIL"] };

/**
 * The Worker's code under a clock, a queue and providers of the test's own, with faults at every step: a queue that does
 * not take, loses nothing, repeats and reorders; runs that die before or after any request; a database and providers
 * that do what they are asked and do not answer. The company's database is a real one.
 */
export class MessagingWorld {
  now = Date.now();
  readonly company: TestCompany;
  readonly providers: FaultyProviders;
  readonly counts = { crashes: 0, deadLetters: 0 };
  readonly #env: Env;
  readonly #record: CompanyRecord;
  readonly #random: () => number;
  readonly #faults: number;
  readonly #letters: Letter[] = [];
  readonly #run = new AsyncLocalStorage<Run>();
  readonly #fetch = globalThis.fetch;
  readonly #console = console.error;
  #background: Promise<unknown>[] = [];
  #diesAt = NEVER;
  #outageUntil = 0;

  static async open(company: TestCompany, options: Options = {}): Promise<MessagingWorld> {
    const env = environmentBefore(inject("service"), options.mailer, () => {});
    const record = await findCompany(directoryOf(env), company.slug, Date.now());
    if (record === null) throw new Error(`No company ${company.slug}`);
    return new MessagingWorld(company, record, options);
  }

  private constructor(company: TestCompany, record: CompanyRecord, { faults = 0, mailer }: Options) {
    this.company = company;
    this.#record = record;
    this.#random = new Draw(SEED).share;
    this.#faults = faults;
    this.providers = new FaultyProviders(this.#random, faults);
    this.#env = environmentBefore(inject("service"), mailer, (messages) => this.#enqueue(messages));
    // Each fault that is made here is logged by the code, as it should be.
    console.error = () => {};
    globalThis.fetch = ((input: Request, init?: RequestInit) => this.#request(input, init)) as typeof fetch;
  }

  [Symbol.dispose](): void {
    globalThis.fetch = this.#fetch;
    console.error = this.#console;
  }

  /** The context of an accepted call; its quota is not what is tried here. */
  ctx(): Ctx {
    const environment = {
      env: this.#env,
      origin: "",
      afterwards: (work: Promise<unknown>) => this.#background.push(work),
    };
    return {
      ...systemContext(environment, this.#record, "test", HOURLY_CHANGES, this.now),
      reserveQuota: async () => ({ giveBack: async () => {} }),
    };
  }

  /** Lets time pass until nothing is queued any more, and the hourly job has found nothing left to do. */
  async settle(): Promise<void> {
    let sweepAt = this.now + HOUSEKEEPING_MS;
    for (;;) {
      const next = await this.#nextLetter();
      if (next === undefined || next.dueAt > sweepAt) {
        const isDone = ({ dispatch_state: state }: Record<string, unknown>) => OVER.has(state);
        if (next === undefined && (await this.recipients()).every(isDone)) return;
        this.now = Math.max(this.now, sweepAt);
        sweepAt += HOUSEKEEPING_MS;
        this.#letters.push(this.#letter({ kind: "housekeep", company: this.company.slug }, 0));
        continue;
      }
      await this.#deliverFrom(next);
    }
  }

  /** All recipients, and how often each was marked as done with. */
  recipients(): Promise<Record<string, unknown>[]> {
    return this.company.rows(RECIPIENTS);
  }

  /** Lets so much time pass, with what is delivered in it. */
  async pass(milliseconds: number): Promise<void> {
    const until = this.now + milliseconds;
    let next = await this.#nextLetter();
    for (; next !== undefined && next.dueAt <= until; next = await this.#nextLetter())
      await this.#deliverFrom(next);
    this.now = until;
  }

  /** The next run dies at its so many-th point: one lies before and one after each request to company or provider. */
  dieAt(point: number): void {
    this.#diesAt = point;
  }

  /** The queue loses all that it has but for a job that has become a dead letter. */
  async loseAllBut(task: MessagingTask): Promise<void> {
    await Promise.all(this.#background.splice(0));
    const letter = this.#letter({ ...task, company: this.company.slug }, 0);
    this.#letters.splice(0, this.#letters.length, { ...letter, dead: true });
  }

  /** The databases do not answer for so long, from when a provider is asked next. */
  loseDatabasesOnceAsked(milliseconds: number): void {
    this.providers.onceAsked = () => {
      this.#outageUntil = this.now + milliseconds;
    };
  }

  async #nextLetter(): Promise<Letter | undefined> {
    await Promise.all(this.#background.splice(0));
    return this.#letters.sort((one, other) => one.dueAt - other.dueAt)[0];
  }

  async #deliverFrom({ dueAt: first }: Letter): Promise<void> {
    this.now = Math.max(this.now, first);
    const due = this.#letters.filter(({ dueAt }) => dueAt <= this.now).slice(0, AT_ONCE);
    for (const letter of due) this.#letters.splice(this.#letters.indexOf(letter), 1);
    await Promise.all(due.map((letter) => this.#deliver(letter)));
  }

  #fails(): boolean {
    return this.#random() < this.#faults;
  }

  #enqueue(messages: { body: Job; delaySeconds?: number }[]): void {
    if (this.#run.getStore()?.dead === true) throw new Error(DEAD);
    if (this.#fails()) throw new Error("The queue is overloaded");
    for (const { body, delaySeconds = 0 } of messages) {
      const copies = this.#fails() ? 2 : 1;
      for (let copy = 0; copy < copies; copy += 1) this.#letters.push(this.#letter(body, delaySeconds));
    }
  }

  /** Reordered: each comes a little later than the other. */
  #letter(body: Job, delaySeconds: number): Letter {
    return {
      body,
      attempts: 1,
      dueAt: this.now + delaySeconds * 1_000 + Math.floor(this.#random() * 2_000),
      dead: false,
    };
  }

  /** Delivers a letter to a run that may die at any of its requests; then the queue delivers it again. */
  async #deliver(letter: Letter): Promise<void> {
    let answer: "ack" | number | undefined;
    const message = {
      id: randomUUID(),
      body: letter.body,
      attempts: letter.attempts,
      ack: () => (answer = "ack"),
      retry: ({ delaySeconds = 0 } = {}) => (answer = delaySeconds),
    } as unknown as Message<Job>;
    const handle = letter.dead ? deadLetterJob : runJob;
    const { promise: died, resolve: crash } = Promise.withResolvers<void>();
    const diesAt = this.#diesAt;
    this.#diesAt = NEVER;
    const finished = this.#run.run({ crash, diesAt, passed: 0, dead: false }, () =>
      handle(
        this.#env,
        message,
        () => this.now,
        (work) => this.#background.push(work),
      ),
    );
    await Promise.race([died, finished]);
    if (answer === "ack") return;
    const delayMs = answer === undefined ? REDELIVERED_AFTER_MS : answer * 1_000;
    const exhausted = letter.attempts > MOST_RETRIES && !letter.dead;
    if (exhausted) this.counts.deadLetters += 1;
    this.#letters.push({
      body: letter.body,
      attempts: exhausted ? 1 : letter.attempts + 1,
      dueAt: exhausted ? this.now : this.now + delayMs,
      dead: letter.dead || exhausted,
    });
  }

  async #request(input: Request | string | URL, init?: RequestInit): Promise<Response> {
    // The test's own client, whose questions meet no fault; the Worker's code gives each request a time.
    if (init === undefined) return this.#fetch(input);
    const url = input instanceof Request ? input.url : String(input);
    await this.#mayDie(url);
    const response = url.startsWith(PROVIDERS)
      ? await this.providers.answer(url, init)
      : await this.#database(input, init);
    await this.#mayDie(url);
    return response;
  }

  /** A run that has died reaches nothing any more, and so lets go of what it held. Only deliveries die: the calls that accept are the test's own. */
  async #mayDie(url: string): Promise<void> {
    const run = this.#run.getStore();
    if (run === undefined) return;
    if (run.dead) throw new Error(DEAD);
    if (!url.includes("/control/")) run.passed += 1;
    if (run.passed !== run.diesAt && this.#random() >= this.#faults / 4) return;
    this.counts.crashes += 1;
    run.dead = true;
    run.crash();
    throw new Error(DEAD);
  }

  async #database(input: Request | string | URL, init?: RequestInit): Promise<Response> {
    if (this.now < this.#outageUntil) throw new TypeError("connect ECONNREFUSED");
    const response = await this.#fetch(input, init);
    if (this.#random() < this.#faults / 4) {
      await response.arrayBuffer();
      throw new Error("Network connection lost.");
    }
    return response;
  }
}

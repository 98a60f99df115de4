import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { withConcurrency } from "#core/jobs.ts";
import type { TestCompany } from "../support/company.ts";
import type { Answer } from "../support/http.ts";
import { Draw, SEED } from "./draw.ts";

/** What a move asks of the API. */
export type Asked = {
  method?: string;
  path: string;
  body?: object;
  /** The table whose row a 2xx has made. */
  makes?: string;
  /** What it must answer where nothing else happens meanwhile, by a model. */
  predicts?: () => Promise<string>;
  told?: (answer: Answer) => void;
  headers?: Record<string, string>;
  /** Null where the caller has none. */
  key?: null;
};
type Move<In extends World> = {
  /** How often it is drawn, beside the others. */
  weight: number;
  /** What the documentation allows it to answer, by status and code or by status; any refusal where it does not say. */
  answers?: readonly string[];
  act: Asks<In> | Does<In>;
};
/** Says what to ask; nothing where there is nothing yet to act upon. */
type Asks<In> = (world: In, draw: Draw) => Asked | undefined | Promise<Asked | undefined>;
type Does<In> = (world: In, draw: Draw) => Promise<void>;
export type Moves<In extends World> = Record<string, Move<In>>;
type Ended = { path: string; answer: Answer; call: () => Promise<Answer> };

const PAUSE_MS = 50;
const ANSWERED_IN_MS = 30_000;
const RUNS_AT_ONCE = 8;
/** The codes that say that nothing is decided yet, and ask for the same call again. */
const AGAIN = ["unavailable", "outcome_unknown", "idempotency_key_in_use", "rate_limited"];

/** Asks until there is an answer that is none of a fault. */
export async function until<Found>(ask: () => Promise<Found | undefined>): Promise<Found> {
  for (;;) {
    const found = await ask().catch(() => undefined);
    if (found !== undefined) return found;
    await sleep(PAUSE_MS);
  }
}

/** Lets so many worlds, each of a seed of its own, live beside each other. */
export function runs(count: number, live: (seed: number) => Promise<void>): Promise<void> {
  const seeds = Array.from({ length: count }, (_, run) => SEED + run);
  return withConcurrency(seeds, RUNS_AT_ONCE, live);
}

/** A company, what those who use it draw from a seed and do, and how each of their calls ended. */
export class World {
  readonly company: TestCompany;
  readonly ended: Ended[] = [];
  /** What calls have made, as they were answered: the ids of each table's rows. */
  readonly made: Record<string, string[]> = {};
  /** Answers that no client should ever get. */
  readonly strange: string[] = [];
  readonly again = new Set(AGAIN);
  /** How many moves were made. */
  moved = 0;
  /** How many answers asked for the same call again. */
  postponed = 0;
  readonly #seed: number;
  #drawn = 0;

  constructor(company: TestCompany, seed: number) {
    this.company = company;
    this.#seed = seed;
  }

  /** Each has numbers of its own, so that another order of answers changes nothing in them. */
  draw(): Draw {
    this.#drawn += 1;
    return new Draw(this.#seed + this.#drawn * 7_919);
  }

  /** The ids that calls have made in a table. */
  ids(table: string): string[] {
    this.made[table] ??= [];
    return this.made[table];
  }

  rows(statement: string, ...values: (string | number)[]): Promise<Record<string, unknown>[]> {
    return until(() => this.company.rows(statement, ...values));
  }

  async sum(select: string): Promise<number> {
    const [row] = await this.rows(`SELECT coalesce(sum(amount), 0) AS amount FROM ${select}`);
    return Number(row?.amount);
  }

  /** A call that is sent again under its key until it is known what became of it. */
  async ask({ method = "POST", path, makes, told, headers = {}, ...rest }: Asked): Promise<Answer> {
    const sent = { ...rest, headers: { "Idempotency-Key": randomUUID(), ...headers } };
    const call = () =>
      this.company.call(method, path, { ...sent, signal: AbortSignal.timeout(ANSWERED_IN_MS) });
    const answer = await until(async () => {
      const answered = await call();
      if (!this.again.has(answered.body.code)) return answered;
      this.postponed += 1;
      return undefined;
    });
    if (method !== "GET") this.ended.push({ path, answer, call });
    if (answer.status >= 500) this.strange.push(`${path} answered ${answer.status} ${answer.text}`);
    if (answer.status < 300) {
      const { data, booking } = answer.body as typeof answer.body & { booking?: { id: string } };
      if (makes !== undefined) this.ids(makes).push(String((booking ?? data).id));
      told?.(answer);
    }
    return answer;
  }

  /** Draws one move and makes it. */
  async act(moves: Moves<this>, isAlone = false): Promise<void> {
    const draw = this.draw();
    const [name, { answers, act }] = draw.one(
      Object.entries(moves).flatMap((move) => Array.from({ length: move[1].weight }, () => move)),
    ) as [string, Move<this>];
    const asked = await act(this, draw);
    this.moved += 1;
    if (!asked) return;
    const predicted = isAlone ? await asked.predicts?.() : undefined;
    const { status, body, text } = await this.ask(asked);
    const said = status < 300 ? String(status) : `${status} ${body.code}`;
    const allowed = predicted === undefined ? answers : [predicted];
    if (allowed?.some((one) => [said, String(status)].includes(one)) === false)
      this.strange.push(`${name} answered ${said}, not ${allowed}: ${text}`);
  }

  /** So many rounds of moves: those of one round at the same time, and between two of them all is quiet. */
  async inRounds(moves: Moves<this>, rounds: number, most: number, judge?: () => Promise<void>) {
    for (let round = 0; round < rounds; round += 1) {
      const atOnce = this.draw().from(1, most);
      await Promise.all(Array.from({ length: atOnce }, () => this.act(moves, atOnce === 1)));
      expect(this.strange).toEqual([]);
      await judge?.();
    }
  }

  /** Lets so many clients make moves until it is enough, and all know how their last call ended. */
  async inLanes(moves: Moves<this>, lanes: number, isEnough: () => boolean | Promise<boolean>) {
    let isOver = false;
    const lane = async () => {
      while (!isOver) await this.act(moves);
    };
    const writing = Promise.all(Array.from({ length: lanes }, lane)).finally(() => {
      isOver = true;
    });
    while (!isOver && !(await isEnough())) await sleep(PAUSE_MS);
    isOver = true;
    await writing;
  }

  /** Lets so many clients make moves until some work is done. */
  async inLanesWhile(moves: Moves<this>, lanes: number, work: Promise<void>): Promise<void> {
    let isOver = false;
    const working = work.finally(() => {
      isOver = true;
    });
    await Promise.all([working, this.inLanes(moves, lanes, () => isOver)]);
  }
}

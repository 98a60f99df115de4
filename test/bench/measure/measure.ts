import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Company, Scenario } from "../scenarios.ts";
import { answered, type Sqld } from "../setup/sqld.ts";
import type { Running } from "../setup/workerd.ts";
import type { Order, Tally } from "./load.ts";

const TICKS_PER_SECOND = 100;

// Code that has not run long is not compiled well.
const FIRST_WARM_UP_SECONDS = 3;
const WARM_UP_SECONDS = 0.5;

/** `before`: the bundle of another checkout, on databases of its own schema. `kept`: the API that keeps answers. */
type SideName = "api" | "before" | "kept";
/** A Worker under load, the databases that it asks, and the company in them. */
export type LoadedSide = Running & { sqld: Sqld; company: Company; scenarios: readonly Scenario[] };
export type Sides = { api: LoadedSide } & Partial<Record<SideName, LoadedSide>>;
/** What one side did under a load: medians of its rounds, `max` the slowest request of all; `workerMs` and `databaseMs` are processor time for each of its requests. */
export type Side = Pick<Tally, "rate" | "p50" | "p99" | "max" | "errors"> & {
  databaseRequests: number;
  workerMs: number;
  databaseMs: number;
};
/** One side's rate by another's: the median of all rounds, and the range. */
type Ratio = { median: number; least: number; most: number };
/** One side beside another: its rate, and its processor time for each request. */
export type Beside = Record<"rate" | "time", Ratio>;
export type Comparison = {
  scenario: string;
  connections: number;
  sides: Partial<Record<SideName, Side>>;
  /** The API beside the other checkout, and kept answers beside the API. */
  beside: { api?: Beside | undefined; kept?: Beside | undefined };
};
export type Extent = { rounds: number; seconds: number };

type Round = Tally & { databaseRequests: number; workerMs: number; databaseMs: number };

/** Loads the sides in turn, so that a machine that slows down slows all. */
export class Bench {
  readonly #sides: Sides;
  // No number comes twice; the first ones went to what was called before.
  #number = 100;
  #warmUpSeconds = FIRST_WARM_UP_SECONDS;

  constructor(sides: Sides) {
    this.#sides = sides;
  }

  async compare(name: string, connections: number, { rounds, seconds }: Extent): Promise<Comparison> {
    const { isKept } = scenarioOf(this.#sides.api, name);
    const all: Partial<Record<SideName, Round[]>> = {};
    const sides = (Object.entries(this.#sides) as [SideName, LoadedSide][]).filter(
      ([side]) => side !== "kept" || isKept,
    );
    for (const [, side] of sides) await this.#round(side, name, connections, this.#warmUpSeconds);
    this.#warmUpSeconds = WARM_UP_SECONDS;
    for (let index = 0; index < rounds; index += 1)
      // A side that has just rested less is faster.
      for (const [sideName, side] of index % 2 === 0 ? sides : sides.toReversed()) {
        all[sideName] ??= [];
        all[sideName].push(await this.#round(side, name, connections, seconds));
      }
    const { api = [], before, kept } = all;
    return {
      ...{ scenario: name, connections },
      sides: Object.fromEntries(Object.entries(all).map(([side, own]) => [side, sideOf(own)])),
      beside: { api: before && besideOf(api, before), kept: kept && besideOf(kept, api) },
    };
  }

  async #round(side: LoadedSide, name: string, connections: number, seconds: number) {
    const { url, pid, sqld, company } = side;
    const scenario = scenarioOf(side, name);
    const first = scenario.numbered ? this.#number : null;
    const look = () => Promise.all([processorMs(pid), processorMs(sqld.pid), answered(sqld)] as const);
    const [worker, database, requests] = await look();
    const tally = await loadOf(url, company, scenario, { connections, seconds, first });
    const [workerAfter, databaseAfter, requestsAfter] = await look();
    if (tally.requests === 0) throw new Error(`${url} answered nothing`);
    if (scenario.numbered) this.#number += tally.requests;
    return {
      ...tally,
      workerMs: workerAfter - worker,
      databaseMs: databaseAfter - database,
      databaseRequests: requestsAfter - requests,
    };
  }
}

/** Keeps so many connections to a side busy with one scenario for so long. */
export async function loadOf(
  url: string,
  company: Company,
  scenario: Scenario,
  extent: Pick<Order, "connections" | "seconds" | "first">,
): Promise<Tally> {
  const request = requestOf(url, company, scenario);
  const order: Order = { url, request, status: scenario.status, ...extent };
  const generator = spawn(process.execPath, [join(import.meta.dirname, "load.ts"), JSON.stringify(order)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(await text(generator.stdout));
}

function requestOf(url: string, { credentials }: Company, { method, path, body }: Scenario): string {
  const sent = body === undefined ? "" : JSON.stringify(body);
  const type = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(sent) };
  const headers = { Host: new URL(url).host, ...credentials, ...(body && type) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${sent}`;
}

function sideOf(rounds: readonly Round[]): Side {
  const of = (name: keyof Round) => median(rounds.map((each) => each[name]));
  const sum = (name: keyof Round) => rounds.reduce((total, each) => total + each[name], 0);
  const each = (name: keyof Round) => median(rounds.map((round) => round[name] / round.requests));
  return {
    ...{ rate: of("rate"), p50: of("p50"), p99: of("p99"), errors: sum("errors") },
    max: Math.max(...rounds.map(({ max }) => max)),
    databaseRequests: each("databaseRequests"),
    workerMs: each("workerMs"),
    databaseMs: each("databaseMs"),
  };
}

function scenarioOf({ scenarios }: LoadedSide, name: string): Scenario {
  const scenario = scenarios.find((one) => one.name === name);
  if (scenario === undefined) throw new Error(`There is no scenario ${name}`);
  return scenario;
}

/** The processor time of Worker and database for each request. */
function timeOf({ workerMs, databaseMs, requests }: Round): number {
  return (workerMs + databaseMs) / requests;
}

function besideOf(rounds: readonly Round[], others: readonly Round[]): Beside {
  return { rate: ratioOf(rounds, others, ({ rate }) => rate), time: ratioOf(rounds, others, timeOf) };
}

function ratioOf(
  rounds: readonly Round[],
  others: readonly Round[],
  figure: (round: Round) => number,
): Ratio {
  const ratios = rounds.map((round, index) => {
    const other = others[index];
    return other === undefined ? Number.NaN : figure(round) / figure(other);
  });
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) };
}

/** The middle one, or the mean of the middle two. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/** The processor time that a process has taken so far, in milliseconds; NaN where the system does not report it. */
async function processorMs(pid: number): Promise<number> {
  const line = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The name, in brackets, may hold spaces; user and system time are the 12th and 13th field after it.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1_000;
}

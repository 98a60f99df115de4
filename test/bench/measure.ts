import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Company } from "./company.ts";
import type { Order, Tally } from "./load.ts";
import type { Scenario } from "./scenarios.ts";
import { SLOTS_OF_ROUND } from "./slots.ts";

const ROUNDS = 3;
const ROUND_SECONDS = 2.8;
const WARM_UP_SECONDS = 0.7;

/** What is compared, under one scenario and number of connections; `databaseRequests` for each of its requests. */
export type Side = { rate: number; p50: number; p99: number; databaseRequests: number; errors: number };
/** `ratio`: the API's rate by the floor's, the median of all rounds; `ratios`: of each round. */
export type Comparison = {
  scenario: string;
  connections: number;
  least: number | undefined;
  tail: number | undefined;
  api: Side;
  floor: Side;
  ratio: number;
  ratios: number[];
};
export type Addresses = { api: string; floor: string; databaseAdmin: string };

// Two rounds book no slot twice; the first slots went to what was called before.
let slots = 0;

type Round = Tally & { databaseRequests: number };

/** Loads the API and the floor in turn, so that a machine that slows down slows both. */
export async function compare(
  addresses: Addresses,
  company: Company,
  scenario: Scenario,
  connections: number,
): Promise<Comparison> {
  const one = (side: "api" | "floor", seconds: number) =>
    round(addresses, side, { ...orderOf(addresses[side], company, scenario), connections, seconds });
  await one("api", WARM_UP_SECONDS);
  await one("floor", WARM_UP_SECONDS);
  const api: Round[] = [];
  const floor: Round[] = [];
  for (let index = 0; index < ROUNDS; index += 1) {
    api.push(await one("api", ROUND_SECONDS));
    floor.push(await one("floor", ROUND_SECONDS));
  }
  const ratios = api.map(({ rate }, index) => rate / (floor[index]?.rate ?? Number.NaN));
  return {
    scenario: scenario.name,
    connections,
    least: scenario.least,
    tail: scenario.tail,
    api: sideOf(api),
    floor: sideOf(floor),
    ratio: median(ratios),
    ratios,
  };
}

async function round({ databaseAdmin }: Addresses, side: string, order: Order): Promise<Round> {
  const before = await databaseRequests(databaseAdmin);
  const tally = await load(order);
  const made = (await databaseRequests(databaseAdmin)) - before;
  if (tally.requests === 0) throw new Error(`The ${side} answered nothing`);
  return { ...tally, databaseRequests: made / tally.requests };
}

function load(order: Order): Promise<Tally> {
  const generator = spawn(process.execPath, [join(import.meta.dirname, "load.ts"), JSON.stringify(order)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return Array.fromAsync(generator.stdout).then((chunks) => JSON.parse(Buffer.concat(chunks).toString()));
}

function orderOf(
  url: string,
  { credentials }: Company,
  { method, path, body, status, slots: booking }: Scenario,
) {
  if (booking) slots += SLOTS_OF_ROUND;
  const text = body === undefined ? "" : JSON.stringify(body);
  const headers = {
    Host: new URL(url).host,
    ...credentials,
    ...(body === undefined
      ? {}
      : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) }),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return {
    url,
    request: `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${text}`,
    status,
    slots: booking ? slots : null,
  };
}

async function databaseRequests(adminUrl: string): Promise<number> {
  const counts = (await (await fetch(`${adminUrl}/test/requests`)).json()) as Record<string, number>;
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function sideOf(rounds: readonly Round[]): Side {
  const of = (name: keyof Round) => median(rounds.map((each) => each[name]));
  return {
    rate: of("rate"),
    p50: of("p50"),
    p99: of("p99"),
    databaseRequests: of("databaseRequests"),
    errors: rounds.reduce((sum, { errors }) => sum + errors, 0),
  };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { parsed } from "#shared/json.ts";

const BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const PREFIX = "company_operations_";
const FAULT_TABLE = /^\| fault \| what it means \|\n\|.*\n((?:\|.*\n)+)/m;

/** What the metrics read of `GET /platform/readiness`. */
export type Readiness = {
  ready: boolean;
  writes_waiting: number;
  writes_stalled_seconds: number;
  circuit_breakers_open: number;
  queues: { name: string; jobs: number | null; oldest_at: string | null }[];
};
type Line = { operation?: string; status?: number; duration_ms?: number; fault?: string };

/**
 * Metrics in Prometheus' text form: counted from the lines of the log, and asked of the service at each scrape.
 * https://prometheus.io/docs/practices/naming/
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #registers = [this.#registry];
  readonly #requests = new Counter({
    name: `${PREFIX}requests_total`,
    help: "Answered requests.",
    labelNames: ["operation", "status"],
    registers: this.#registers,
  });
  readonly #durations = new Histogram({
    name: `${PREFIX}request_duration_seconds`,
    help: "From the arrival of a request to its answer.",
    labelNames: ["operation"],
    buckets: BUCKETS_S,
    registers: this.#registers,
  });
  readonly #faults = new Counter({
    name: `${PREFIX}faults_total`,
    help: "Lines of the log with a fault.",
    labelNames: ["fault"],
    registers: this.#registers,
  });
  readonly #ready = this.#gauge("ready", "1 where the service can serve.");
  readonly #writes = this.#gauge("writes_waiting", "Write batches in line before databases.");
  readonly #stalled = this.#gauge(
    "writes_stalled_seconds",
    "For how long a database that answers reads has answered no write.",
  );
  readonly #breakers = this.#gauge("circuit_breakers_open", "Databases that give no answer.");
  readonly #jobs = this.#gauge("queue_jobs", "Jobs that wait in a queue.", "queue");
  readonly #oldest = this.#gauge("queue_oldest_seconds", "Age of the oldest job of a queue.", "queue");
  readonly #readiness: () => Promise<Readiness>;

  constructor(readiness: () => Promise<Readiness>) {
    this.#readiness = readiness;
    collectDefaultMetrics({ register: this.#registry });
    // A rate of a series that begins at 1 is 0: no alert would see the first fault.
    for (const fault of faultCodes()) this.#faults.inc({ fault }, 0);
  }

  /** Counts a line of the log; what is none of the Worker's is left out. */
  count(message: string): void {
    const { operation = "none", status, duration_ms: ms, fault } = lineOf(message);
    if (fault !== undefined) this.#faults.inc({ fault });
    if (status === undefined || ms === undefined) return;
    this.#requests.inc({ operation, status });
    this.#durations.observe({ operation }, ms / 1_000);
  }

  /** The text of a scrape; a service that does not answer is not ready. */
  async text(): Promise<string> {
    const state = await this.#readiness().catch(() => undefined);
    this.#ready.set(state?.ready ? 1 : 0);
    if (state !== undefined) {
      this.#writes.set(state.writes_waiting);
      this.#stalled.set(state.writes_stalled_seconds);
      this.#breakers.set(state.circuit_breakers_open);
      for (const { name: queue, jobs, oldest_at: oldest } of state.queues) {
        this.#jobs.set({ queue }, jobs ?? 0);
        this.#oldest.set({ queue }, oldest === null ? 0 : (Date.now() - Date.parse(oldest)) / 1_000);
      }
    }
    return this.#registry.metrics();
  }

  /** Serves `/health`, which is 200 where the service answers, and the metrics at every other path of a port. */
  serve(host: string, port: number, isAnswering: () => Promise<boolean>): void {
    createServer(async ({ url }, response) => {
      if (url === "/health") {
        response.writeHead((await isAnswering()) ? 200 : 503).end();
        return;
      }
      response.setHeader("Content-Type", this.#registry.contentType);
      response.end(await this.text());
    }).listen(port, host);
  }

  #gauge(name: string, help: string, label?: string): Gauge {
    const labelNames = label === undefined ? [] : [label];
    return new Gauge({ name: `${PREFIX}${name}`, help, labelNames, registers: this.#registers });
  }
}

function lineOf(message: string): Line {
  return message.startsWith("{") ? Object(parsed(message)) : {};
}

/** The codes of lines with `fault`, as docs/operate.md explains them. */
function faultCodes(): string[] {
  const page = readFileSync(join(import.meta.dirname, "../../docs/operate.md"), "utf8");
  const [, rows = ""] = FAULT_TABLE.exec(page) ?? [];
  return rows.split("\n").flatMap((row) => row.split("|")[1]?.match(/[a-z_]+/g) ?? []);
}

import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { buildWidget } from "../../../src/build/widget.ts";
import { randomAddress } from "../../support/http.ts";
import { end, originOf } from "./site.ts";

const SCRIPTS = "/widget/v1/";

/** What befalls a call: it never arrives, its answer is lost after it was carried out, or this is the answer. */
export type Fault = "lose call" | "lose answer" | { status: number; retryAfter: number; code: string };
type Call = { method: string; path: string; key: string | undefined };
type Rule = { method: string; path: RegExp; fault: Fault; left: number };

/** The widget's files by their names, as they are served. */
export async function widgetFiles(): Promise<Map<string, Buffer>> {
  const folder = await mkdtemp(join(tmpdir(), "booking-widget-"));
  await buildWidget(folder);
  const names = await readdir(folder);
  const files = await Promise.all(names.map((name) => readFile(join(folder, name))));
  await rm(folder, { recursive: true });
  return new Map(names.map((name, index) => [name, files[index] ?? Buffer.of()]));
}

/** Stands before the API as the network does: serves the widget's script, records calls, and loses some on demand. */
export class Front {
  readonly #target: URL;
  readonly #files: Map<string, Buffer>;
  readonly #server = createServer((incoming, outgoing) => void this.#answer(incoming, outgoing));
  readonly #calls: Call[] = [];
  readonly #preflights: Call[] = [];
  readonly #rules: Rule[] = [];

  private constructor(target: string, files: Map<string, Buffer>) {
    this.#target = new URL(target);
    this.#files = files;
  }

  static async open(target: string): Promise<Front> {
    const front = new Front(target, await widgetFiles());
    await once(front.#server.listen(0, "127.0.0.1"), "listening");
    return front;
  }

  get origin(): string {
    return originOf(this.#server);
  }

  /** Lets the next calls to a path meet a fault, so many times. A browser may send a lost call again by itself. */
  meet(method: string, path: RegExp, fault: Fault, times = 1): void {
    this.#rules.push({ method, path, fault, left: times });
  }

  /** Ends all faults. */
  mend(): void {
    this.#rules.splice(0);
  }

  /** The calls of pages so far, preflights not counted, whose path matches; forgets all. */
  takeCalls(path = /./): Call[] {
    return this.#calls.splice(0).filter((call) => path.test(call.path));
  }

  /** How many preflights there were so far; forgets them. */
  takePreflights(): number {
    return this.#preflights.splice(0).length;
  }

  close(): void {
    end(this.#server);
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = "GET", url = "/", headers } = incoming;
    const path = url.split("?", 1)[0] ?? "/";
    if (path.startsWith(SCRIPTS)) return void this.#sendScript(outgoing, path.slice(SCRIPTS.length));
    const body = await text(incoming);
    if (path.includes("/schools/")) {
      const calls = method === "OPTIONS" ? this.#preflights : this.#calls;
      calls.push({ method, path: path.replace(/.*\/schools\/[^/]+/, ""), key: keyOf(incoming) });
    }
    const rule = this.#rules.find((one) => one.method === method && one.path.test(path) && one.left > 0);
    if (rule !== undefined) rule.left -= 1;
    if (rule?.fault === "lose call") return void outgoing.destroy();
    if (typeof rule?.fault === "object") return refuse(outgoing, rule.fault, headers.origin);
    const forwarded = request({
      hostname: this.#target.hostname,
      port: this.#target.port,
      method,
      path: url,
      // A visitor has few bookings an hour; tests have many visitors.
      headers: { ...headers, "CF-Connecting-IP": randomAddress() },
    });
    forwarded.on("response", (answer) => {
      if (rule?.fault === "lose answer") answer.resume().on("end", () => outgoing.destroy());
      else answer.pipe(outgoing.writeHead(answer.statusCode ?? 500, answer.headers));
    });
    forwarded.on("error", () => outgoing.destroy());
    forwarded.end(body);
  }

  #sendScript(outgoing: ServerResponse, name: string): void {
    const headers = { "Content-Type": "text/javascript", "Access-Control-Allow-Origin": "*" };
    outgoing.writeHead(this.#files.has(name) ? 200 : 404, headers).end(this.#files.get(name));
  }
}

function refuse(
  outgoing: ServerResponse,
  { status, retryAfter, code }: Exclude<Fault, string>,
  origin = "*",
): void {
  outgoing.writeHead(status, {
    "Content-Type": "application/json",
    "Retry-After": retryAfter,
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": "Retry-After",
  });
  outgoing.end(JSON.stringify({ success: false, code, message: "Too many calls" }));
}

function keyOf({ headers }: IncomingMessage): string | undefined {
  return headers["idempotency-key"]?.toString();
}

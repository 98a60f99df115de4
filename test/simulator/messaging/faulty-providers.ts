import { randomUUID } from "node:crypto";

/** What the providers know of one message. */
type Sent = { calls: number; taken: number; id: string };

/** Providers that do what they are asked and do not always say so. */
export class FaultyProviders {
  /** By our reference. */
  readonly sent = new Map<string, Sent>();
  unknowns = 0;
  refused = 0;
  /** They are too busy for these numbers. */
  busyTo: RegExp | undefined;
  /** Is called once, when a provider is asked next. */
  onceAsked: (() => void) | undefined;
  readonly #random: () => number;
  readonly #faults: number;
  #refusing = { calls: 0, status: 429, body: "{}" };

  constructor(random: () => number, faults: number) {
    this.#random = random;
    this.#faults = faults;
  }

  /** How often they took each message that they were asked for. */
  taken(): number[] {
    return [...this.sent.values()].map(({ taken }) => taken);
  }

  /** They answer so many calls with this status and body. */
  refuse(calls: number, status = 429, body = "{}"): void {
    this.#refusing = { calls, status, body };
  }

  async answer(url: string, init: RequestInit = {}): Promise<Response> {
    const { pathname } = new URL(url);
    const headers = new Headers(init.headers);
    const form = new URLSearchParams(String(init.body));
    const isMail = pathname.startsWith("/resend");
    const reference = (isMail ? headers.get("Idempotency-Key") : form.get("CustomField")) ?? "";
    const sent = this.sent.get(reference) ?? { calls: 0, taken: 0, id: randomUUID() };
    this.sent.set(reference, sent);
    sent.calls += 1;
    this.onceAsked?.();
    this.onceAsked = undefined;
    if (this.busyTo?.test(form.get("To") ?? "")) return new Response("{}", { status: 429 });
    if (this.#refusing.calls > 0) {
      this.#refusing.calls -= 1;
      this.refused += 1;
      return new Response(this.#refusing.body, { status: this.#refusing.status });
    }
    if (this.#random() < this.#faults) return this.#fail(sent);
    sent.taken += 1;
    return Response.json(isMail ? { id: sent.id } : { SMSMessage: { Sid: sent.id } });
  }

  #fail(sent: Sent): Response {
    const status = [429, 500, 502, 503, 504, 0][Math.floor(this.#random() * 6)] ?? 0;
    if (status === 429) return new Response("{}", { status, headers: { "Retry-After": "30" } });
    // Taken or not: what answers in the provider's place does not know.
    this.unknowns += 1;
    if (this.#random() < 0.5) sent.taken += 1;
    if (status > 0) return new Response("{}", { status });
    throw new DOMException("The operation timed out", "TimeoutError");
  }
}

import { seededRandom } from "../../../src/sandbox/gateways/seeded-random.ts";

/** What happens to a request: before the database sees it, on its way back, or in the database's place. */
export type FaultRule = {
  kind:
    | "reset_before"
    | "reset_after"
    | "hang_after"
    /** The caller hears nothing; the request reaches the database `delay_ms` later. */
    | "late"
    | "delay"
    | "status"
    | "error"
    | "truncate";
  every?: number;
  times?: number;
  seed?: number;
  probability?: number;
  delay_ms?: number;
  status?: number;
  code?: string;
  writes_only?: boolean;
  /** Words of the statements that meet it. */
  about?: string;
};

type ArmedRule = { rule: FaultRule; fires: () => boolean; fired: () => number };

// Statements that a read batch never holds.
const WRITE =
  /"sql":"(?:\s|\\n)*(?:insert|replace|update|delete|create|alter|drop|begin immediate|with\b[^"]*\b(?:insert|update|delete)\b)/i;

/** The faults asked for by tests, by namespace; those of `*` hold for all. */
export class Faults {
  readonly #armed = new Map<string, ArmedRule[]>();

  set(namespace: string, rules: readonly FaultRule[]): void {
    if (rules.length === 0) this.#armed.delete(namespace);
    else this.#armed.set(namespace, rules.map(arm));
  }

  /** How many requests have met the faults that hold for a namespace now. */
  met(namespace: string): number {
    return (this.#armed.get(namespace) ?? []).reduce((sum, { fired }) => sum + fired(), 0);
  }

  /** The fault this request meets: the first rule that fires; the rules after it do not see the request. */
  next(namespace: string, body: Buffer): FaultRule | undefined {
    if (this.#armed.size === 0) return undefined;
    const candidates = [...(this.#armed.get(namespace) ?? []), ...(this.#armed.get("*") ?? [])];
    if (candidates.length === 0) return undefined;
    const text = body.toString();
    const writes = WRITE.test(text);
    const concerns = ({ writes_only, about = "" }: FaultRule) =>
      (!writes_only || writes) && text.includes(about);
    return candidates.find(({ rule, fires }) => concerns(rule) && fires())?.rule;
  }
}

function arm(rule: FaultRule): ArmedRule {
  const { every = 1, times = Number.POSITIVE_INFINITY, seed = 1, probability } = rule;
  const random = seededRandom(seed);
  let seen = 0;
  let fired = 0;
  const fires = () => {
    seen += 1;
    const chosen = probability === undefined ? seen % every === 0 : random() < probability;
    if (!chosen || fired >= times) return false;
    fired += 1;
    return true;
  };
  return { rule, fires, fired: () => fired };
}

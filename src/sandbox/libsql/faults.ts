import { seededRandom } from "../seeded-random.ts";
import type { HranaPipeline } from "./protocol.ts";
import { describeSql } from "./sql.ts";

const KINDS = ["reset_before", "reset_after", "hang_after", "delay", "status", "error", "truncate"] as const;

export type FaultRule = {
  kind: (typeof KINDS)[number];
  every?: number;
  times?: number;
  seed?: number;
  probability?: number;
  delay_ms?: number;
  status?: number;
  code?: string;
  writes_only?: boolean;
};

type ArmedRule = { rule: FaultRule; fires: () => boolean };

/** The faults asked for by tests, by namespace; those of `*` hold for all. */
export class Faults {
  readonly #armed = new Map<string, ArmedRule[]>();

  set(namespace: string, rules: FaultRule[]): void {
    this.#armed.set(namespace, rules.map(arm));
  }

  clear(namespace: string): void {
    this.#armed.delete(namespace);
  }

  /** The fault this request meets: the first rule that fires; the rules after it do not see the request. */
  next(namespace: string, pipeline: HranaPipeline): FaultRule | undefined {
    if (this.#armed.size === 0) return undefined;
    const candidates = [...(this.#armed.get(namespace) ?? []), ...(this.#armed.get("*") ?? [])];
    return candidates.find(({ rule, fires }) => (!rule.writes_only || writes(pipeline)) && fires())?.rule;
  }
}

/** Whether a value read from JSON is a list of rules of known kinds. */
export function isFaultList(value: unknown): value is FaultRule[] {
  return Array.isArray(value) && value.every((rule) => KINDS.includes(rule?.kind));
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
  return { rule, fires };
}

function writes({ requests }: HranaPipeline): boolean {
  return requests.some((request) => {
    switch (request.type) {
      case "sequence":
        return true;
      case "store_sql":
        return isWrite(request.sql);
      case "execute":
        return isWrite(request.stmt.sql);
      case "batch":
        return request.batch.steps.some(({ stmt }) => isWrite(stmt.sql));
      default:
        return false;
    }
  });
}

function isWrite(sql: string | undefined): boolean {
  return sql !== undefined && describeSql(sql).kind !== "other";
}

import * as z from "zod";
import type { Operation, Schema } from "#api/operations/operation.ts";
import { logFault } from "#core/log.ts";
import { Problem } from "#shared/problem.ts";
import type { RequestContext } from "../request-state.ts";
import { checkOf, MISFIT } from "./compiled-check.ts";

/**
 * A record as its schema lets it out: unknown members are dropped. One that does not fit throws in tests; in
 * production it is logged, a read answers 500, and a committed write answers with the members that are known.
 */
export function wireOf(c: RequestContext, operation: Operation, record: unknown): unknown {
  const checked = checkOf(operation.result)(record);
  if (checked !== MISFIT) return checked;
  const parsed = operation.result.safeParse(record);
  if (parsed.success) return parsed.data;
  if (c.env.SANDBOX !== undefined) throw new Error(`${operation.id}: ${z.prettifyError(parsed.error)}`);
  logFault("reply", parsed.error);
  if (operation.method === "get") throw new Problem("internal_error");
  return knownMembers(operation.result, record);
}

function knownMembers(schema: Schema, record: unknown): unknown {
  if (!(schema instanceof z.ZodObject) || typeof record !== "object" || record === null) return {};
  const known = new Set(Object.keys(schema.shape));
  return Object.fromEntries(Object.entries(record).filter(([name]) => known.has(name)));
}

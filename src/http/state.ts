import type { Context } from "hono";
import { ulid } from "ulidx";
import type { KeyRecord } from "#control/directory.ts";
import type { Admission } from "#platform/coordination.ts";
import type { ProblemCode } from "#shared/problem.ts";
import type { Env } from "../env.ts";

/** What the pipeline keeps of one request while it passes through. */
export type State = {
  requestId: string;
  /** Epoch milliseconds by the real clock; a company's own may be offset in the sandbox. */
  startedAt: number;
  /** Set once the key is recognised. */
  key?: KeyRecord;
  admission?: Promise<Admission>;
  /** The origin that the reply may be read from, for browsers. */
  allowedOrigin?: string;
  /** The body's bytes, once read. */
  body?: Uint8Array<ArrayBuffer>;
};

export type App = { Bindings: Env; Variables: { state: State; problem?: ProblemCode } };
export type RequestContext = Context<App>;

/** The state of a request that has just arrived. */
export function newState(): State {
  return { requestId: `req_${ulid()}`, startedAt: Date.now() };
}

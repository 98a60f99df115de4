import type { Context } from "hono";
import type { Admission } from "#core/coordination.ts";
import type { DayCap } from "#core/quota.ts";
import { addressGroup } from "#shared/network/address-group.ts";
import type { ProblemCode } from "#shared/problem.ts";
import { ulid } from "#shared/text/ulid.ts";
import type { KeyRecord } from "#tenancy/directory.ts";
import type { Env } from "../env.ts";

const BASE_PATH = /^\/(?:api\/)?v1(?=\/)/;

/** What the pipeline keeps of one request while it passes through. */
export type State = {
  /** A ULID: names the request, and the rows of a write. */
  id: string;
  /** The ULID as replies and logs have it, with `req_` before it. */
  requestId: string;
  /** Epoch milliseconds by the real clock; a company's own may be offset in the sandbox. */
  startedAt: number;
  /** What a 404 says is not there. */
  resource?: string | undefined;
  /** Set once the key is recognised. */
  key?: KeyRecord;
  admission?: Promise<Admission>;
  /** The limit that the reply shows in place of the general one. */
  shownLimit?: Admission;
  /** The key's cap of messages a day, once a send has asked for it. */
  dayCap?: DayCap;
  /** The origin that the reply may be read from, for browsers. */
  allowedOrigin?: string;
  /** The members of the body that were ignored, as the reply's header has them. */
  ignored?: string;
  /** The same for the parameters of the query. */
  ignoredParameters?: string;
  /** The body's bytes, once read. */
  body?: Uint8Array<ArrayBuffer>;
};

export type App = { Bindings: Env; Variables: { state: State; problem?: ProblemCode | "client_closed" } };
export type RequestContext = Context<App>;

/** The state of a request that has just arrived. */
export function newState(): State {
  const startedAt = Date.now();
  const id = ulid(startedAt);
  return { id, requestId: `req_${id}`, startedAt };
}

/** The path of a request from the base address on. */
export function pathOf(c: RequestContext): string {
  return c.req.path.replace(BASE_PATH, "");
}

/** The address of a visitor of the client's site: the first that the client itself forwards, not what the edge adds. */
export function visitorAddress(c: RequestContext): string | null {
  const [first = ""] = (c.req.header("X-Forwarded-For") ?? "").split(",");
  const address = first.trim();
  return address === "" || address === edgeAddress(c) ? null : address;
}

/** The client's address as limits count it: an IPv6 one by its /64. */
export function clientAddress(c: RequestContext): string {
  return addressGroup(edgeAddress(c));
}

/** The address of the client as the edge saw it. */
function edgeAddress(c: RequestContext): string {
  return c.req.header("CF-Connecting-IP") ?? "unknown";
}

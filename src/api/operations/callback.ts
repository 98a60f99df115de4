import type { Ctx } from "#core/context.ts";

/** What an outside service sent: bytes as they came, for its signature is over them, or over the address. */
export type Callback = {
  params: Record<string, string>;
  method: string;
  url: string;
  headers: Headers;
  body: Uint8Array<ArrayBuffer>;
  /** Epoch milliseconds by the real clock: the outside world's timestamps know no other. */
  receivedAt: number;
};

/** The contexts of the companies that a callback names in its body, by their ids and by their chat-app numbers. */
export type NamedCompanies = { byId: Map<number, Ctx>; byNumber: Map<string, Ctx> };
export type FindNamed = (ids: number[], numbers: string[]) => Promise<NamedCompanies>;

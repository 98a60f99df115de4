import type { Admission } from "#durable";
import type { Database, QueryBuilder } from "./database.ts";
import type { Folder, FolderName } from "./files.ts";
import type { Task } from "./jobs.ts";
import type { Reservation } from "./messaging-quota.ts";
import type { Operation } from "./operation-memory.ts";
import type { Services } from "./services.ts";

/** The company that a call is addressed to, as far as every verb may need it. */
export type Company = {
  id: number;
  slug: string;
  name: string;
  country: string;
  currency: string;
  timezone: string;
};

/** Who calls: an API key, or whoever runs the service. */
export type Actor = { type: "secret" | "publishable" | "platform" | "system"; id: string; name: string };

/** All that a verb is given. It names one database and one company, and nothing of HTTP. */
export type Ctx = {
  readonly company: Company;
  readonly actor: Actor;
  /** Builds statements; they run through `read` of operation-memory.ts and `atomic`. */
  readonly db: QueryBuilder;
  readonly database: Database;
  /** Epoch milliseconds: the only clock. */
  readonly now: number;
  readonly requestId: string;
  /** What makes this call one operation, however often it is tried. */
  readonly operation: Operation;
  /** The rate limiter's answer, asked beside the first database call. */
  readonly admission: Promise<Admission>;
  /** Sets the company's time zone, which the control database keeps. */
  readonly changeTimezone: (timezone: string) => Promise<void>;
  /** Where the outside world is. */
  readonly services: Services;
  /**
   * Whoever sends the request: its address as limits count it, that of its own visitor where it passes one on, and
   * whether its key lets browsers come from an origin, or holds a scope beside that of the operation.
   */
  readonly client: {
    address: string;
    visitor: string | null;
    allowsOrigin: (origin: string) => boolean;
    holds: (scope: string) => boolean;
  };
  /** Waits in a line of this company, two seconds at most: it spares the database those who want the same. */
  readonly standInLine: (line: string) => Promise<void>;
  /** Scheme and host of this service, for the addresses that it hands out. */
  readonly origin: string;
  /** Seals a secret of this company; `field` names its place, and it opens in no other. */
  readonly seal: (field: string, secret: string) => Promise<string>;
  /** Opens what `seal` sealed for the same field. */
  readonly open: (field: string, sealed: string) => Promise<string>;
  /** The company's files of one kind. */
  readonly files: (folder: FolderName) => Folder;
  /** Queues work on this company, once what it builds on is committed. Throws when the queue does not take it. */
  readonly enqueue: (tasks: readonly Task[], delaySeconds?: number) => Promise<void>;
  /** Asks for the company's housekeeping within minutes; what fails is logged, for it comes hourly anyway. */
  readonly sweepSoon: () => Promise<void>;
  /** Takes room of the key's messaging rate and daily cap; throws 429, or 503 when nobody can tell. */
  readonly reserveMessages: (cost: number) => Promise<Reservation>;
  /** Routes the callbacks of a chat-app number to this company, or no longer; throws 409 when another has it. */
  readonly chatappNumbers: Record<"claim" | "release", (phoneNumberId: string) => Promise<void>>;
  /** Lets work go on after the reply; what it throws is logged. */
  readonly afterwards: (work: Promise<unknown>) => void;
  /** A fresh ULID. */
  readonly newId: () => string;
  /** A fresh secret of 256 bits, as 43 characters that may stand in an address. */
  readonly newToken: () => string;
};

/** What a read takes where nobody signed the call. */
export type ReadCtx = Pick<Ctx, "company" | "db" | "database" | "now">;

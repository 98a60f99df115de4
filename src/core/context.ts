import type { SQL } from "drizzle-orm";
import type { Admission } from "#durable";
import type { ResourceName } from "#shared/resource-names.ts";
import type { SettingName } from "#shared/settings.ts";
import type { Database, QueryBuilder } from "./database/database.ts";
import type { Folder } from "./files/folder.ts";
import type { Task } from "./jobs.ts";
import type { SecretKind } from "./secrets/secret-kind.ts";
import type { Services } from "./services.ts";
import type { AuditHead, AuditKey } from "./write/audit-link.ts";
import type { Erased } from "./write/erasures.ts";
import type { ExternalId } from "./write/external-id.ts";

/** The company that a call is addressed to, as far as every verb may need it. */
export type Company = {
  id: number;
  slug: string;
  name: string;
  country: string;
  currency: string;
  timezone: string;
};

/** Who calls: an API key, the operator, or the system itself, whose id is the name of what it does. */
export type Actor = { type: "secret" | "publishable" | "platform" | "system"; id: string; name: string };

/** One call of one operation: its place in the operations table, and what the idempotency gate said of it. */
export type Call = {
  /** The operation's id, as its literal has it. */
  readonly name: string;
  /** A fresh id for the rows of this call. */
  readonly id: string;
  /** Primary key in `operations`: from the Idempotency-Key, or fresh. */
  readonly idempotencyRecordKey: string;
  /** SHA-256 of the body, or null when the client sent no key. */
  readonly fingerprint: string | null;
  readonly gate: Promise<"run" | "finished" | "busy">;
  /** Of an update, whose changes the audit log names: the members whose values it keeps, as JSON by name; else null. */
  readonly auditedMembers: string | null;
  /** Whether it answers as if it had been done, and writes nothing. */
  readonly isDryRun: boolean;
  /** The setting that it changes in the company's own database. */
  readonly setting?: SettingName | undefined;
  /** What stands before a record's id in the audit log. */
  readonly auditPrefix: string;
  /** The caller's own id of the record that it makes. */
  readonly externalId?: ExternalId | undefined;
};

/** Looks up how much of a quota was had since an instant (epoch ms). */
export type Spent = (since: number) => Promise<number>;

/** A part of a quota, with a name and a cap of its own. */
export type QuotaShare = { name: string; cap: number; spent: Spent };

/** Capacity that a call has taken of a quota; `giveBack` when what it was for was not stored. */
export type TakenQuota = { giveBack: () => Promise<void> };

/** For reading: one database of one company, at one time. A page without a key needs no more. */
export type ReadCtx = {
  readonly company: Company;
  /** Builds statements; they run through `read` of replay.ts and `atomic`. */
  readonly db: QueryBuilder;
  readonly database: Database;
  /** Epoch milliseconds: the only clock. */
  readonly now: number;
};

/** For what an operation reads: where the client sent a key, what that key did before comes first. */
export type CallCtx = ReadCtx & {
  /** What makes this call one operation, however often it is tried. */
  readonly call: Call;
};

/** When something is looked at: the company's time, and the day that it is there. */
export type Moment = { readonly now: SQL<number>; readonly today: SQL<string> };

/**
 * A kind of record that events report, as far as the batch that changes one must know it. `renderedBy` are the
 * functions that render its snapshot.
 */
export type EventSource<Row = unknown> = {
  /** As triggers write it. */
  readonly name: ResourceName;
  /** Which form its snapshots have, counted from 1. */
  readonly shape: number;
  /** The SELECT of the record with an id, dead or alive: one JSON text, as the record's own reads have it. */
  readonly select: (moment: Moment, id: SQL) => SQL<Row>;
  readonly renderedBy: ReadonlySet<unknown>;
};

/** The names of the kinds of records that a call or a job may change, and what renders the snapshot that it answers with. */
export type Changes = {
  readonly names: readonly ResourceName[];
  readonly render?: unknown;
  /** Whether all events of the kind that it answers with are of the very record that it answers with. */
  readonly isOwnOnly?: boolean;
  /** Whether no rule of notifications names an event that it leaves; the database refuses the stamp of one that a rule names. */
  readonly isUnnoticed?: boolean;
};

/** For what no call writes: who does it, and what it may change. */
export type SystemWriteCtx = ReadCtx & {
  readonly actor: Actor;
  readonly requestId: string;
  /** The kinds of records of which it may leave events. */
  readonly changes: Changes;
  /** Queues the sending of events, once they are committed; what the queue does not take, the company's clock finds. */
  readonly queueDeliveries: (endpoints: readonly number[]) => void;
  /** The same for the messages that the company has asked to be sent for what happens. */
  readonly queueNotifications: () => void;
};

/** For writing: what `atomic` records of a call, and the limiter's answer. */
export type WriteCtx = CallCtx &
  SystemWriteCtx & {
    /** The rate limiter's answer, asked beside the first database call. */
    readonly admission: Promise<Admission>;
    /** Makes the clock look within a minute at what a write leaves behind; asked beside it, and never awaited. */
    readonly scheduleClock: () => void;
  };

/** For fresh names. */
export type IdCtx = {
  /** A fresh ULID. */
  readonly newId: () => string;
  /** A fresh secret of 256 bits, as 43 characters that may stand in an address. */
  readonly newToken: () => string;
};

/** For secrets at rest. */
export type EncryptionCtx = {
  /** Encrypts a secret of this company for its kind and `key`, which names its record: it opens in no other place. */
  readonly encrypt: (kind: SecretKind, key: string, secret: string) => Promise<string>;
  /** Opens what `encrypt` encrypted for the same place. */
  readonly decrypt: (kind: SecretKind, key: string, encrypted: string) => Promise<string>;
};

/** For addresses that open by an HMAC of this service alone. */
export type HmacCtx = {
  /** The HMACs of a text for one purpose: by the master key of today first, then by the one before. */
  readonly hmacs: (purpose: string, text: string) => Promise<Uint8Array<ArrayBuffer>[]>;
};

/** For files. */
export type FileCtx = {
  /** The company's files of one kind. */
  readonly files: (folder: string) => Folder;
};

/** For what goes on once the reply is sent. */
export type BackgroundCtx = {
  /** Queues work on this company, once what it builds on is committed. Throws when the queue does not take it. */
  readonly enqueue: (tasks: readonly Task[], delaySeconds?: number) => Promise<void>;
  /** Lets work go on after the reply; what it throws is logged. */
  readonly afterwards: (work: Promise<unknown>) => void;
};

/** For what callers share: lines and quotas, kept outside the database. */
export type CoordinationCtx = {
  /** Waits in a line of this company, two seconds at most: it spares the database those who want the same. */
  readonly standInLine: (line: string) => Promise<void>;
  /**
   * Runs work of this company while no other of this name runs; those that waited for one that succeeded then run side by
   * side. It spares outside services those who want the same. Throws 503 where one runs for too long.
   */
  readonly oneByOne: <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;
  /**
   * Takes capacity of the key's rate and daily cap, and of the company's ceiling; throws 429, or 503 when a counter
   * does not answer. Both look up the use since an instant where a counter was lost.
   */
  readonly reserveQuota: (cost: number, spent: Spent, spentByAll: Spent) => Promise<TakenQuota>;
  /** Takes capacity of the company's ceiling alone, for what counts in no key's quota. */
  readonly reserveCeiling: (cost: number, spentByAll: Spent) => Promise<TakenQuota>;
  /**
   * Takes capacity of the company's own daily cap of messages that no key sends, and of its ceiling where `spentByAll` is
   * given; throws 429, or 503, as `reserveQuota` does. `share` is a part of the cap for some of these messages.
   */
  readonly reserveOwnQuota: (
    cap: number,
    cost: number,
    spent: Spent,
    spentByAll?: Spent,
    share?: QuotaShare,
  ) => Promise<TakenQuota>;
  /** Gives back what a key, or with null the ceiling alone, had reserved at an instant (epoch ms) of the day of now; of an earlier day, nothing. */
  readonly returnQuota: (clientId: string | null, cost: number, at: number) => Promise<void>;
};

/** For what the control database keeps of a company. */
export type DirectoryCtx = {
  readonly changeTimezone: (timezone: string) => Promise<void>;
  /** Routes the callbacks to an outside account to this company, or no longer; throws 409 when another has it. */
  readonly callbackRoutes: Record<"assign" | "release", (accountId: string) => Promise<void>>;
};

/** For the chain of the company's audit log. */
export type AuditCtx = {
  readonly auditChain: {
    /** The key that new links are made with. */
    readonly key: () => Promise<AuditKey>;
    /** The last link that the control database knows of, or null where it knows none. */
    readonly head: () => Promise<AuditHead | null>;
    /** Reports a later link to the control database. */
    readonly moveHead: (head: AuditHead) => Promise<void>;
    /** Reports to the control database what the rows of the next link erased. */
    readonly keepErasures: (erased: readonly Erased[]) => Promise<void>;
  };
};

/** For what lies outside: other services, this service's own address, and the sender of the request. */
export type OutsideCtx = {
  readonly services: Services;
  /** The real clock, in epoch milliseconds: other services keep what they are sent for a time of their own. */
  readonly realNow: () => number;
  /** Scheme and host of this service, for the addresses that it hands out. */
  readonly origin: string;
  /**
   * The sender of the request: its address as limits count it, that of its own visitor where it passes one on, the
   * visitor token that it sends, and whether its key lets browsers come from an origin, or holds a scope beside that of
   * the operation.
   */
  readonly client: {
    address: string;
    visitor: string | null;
    visitorToken: string | null;
    allowsOrigin: (origin: string) => boolean;
    holds: (scope: string) => boolean;
  };
};

/**
 * All that a verb can be given; it names one database and one company, and nothing of HTTP. A verb or helper that needs
 * little asks for the small types above, so that its signature says what it can do.
 */
export type Ctx = WriteCtx &
  IdCtx &
  EncryptionCtx &
  HmacCtx &
  FileCtx &
  BackgroundCtx &
  CoordinationCtx &
  DirectoryCtx &
  AuditCtx &
  OutsideCtx;

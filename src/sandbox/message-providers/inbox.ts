import { readKept, writeKept } from "../data-folder/kept-file.ts";

type Channel = "sms" | "chatapp" | "email";
export type EventName = "delivered" | "read" | "failed" | "rejected" | "stop" | "reply" | "unsubscribe";

/** A file in an e-mail; `content` is in base64. */
export type Attachment = { name: string; type: string; content: string };

/** One message as a provider's stand-in was given it, and as its receiver sees it. */
export type Received = {
  /** What the provider calls it. */
  id: string;
  kind: string;
  channel: Channel;
  at: string;
  from: string;
  to: string;
  /** The display name in an e-mail's address. */
  to_name: string | null;
  subject: string | null;
  text: string;
  html: string | null;
  attachments: Attachment[];
  /** Our own name for it, where the provider gets one. */
  reference: string | null;
  /** What else was sent along, such as the registered template. */
  details: Record<string, unknown>;
  /** What has happened to it, in order. */
  events: { name: EventName; at: string; answer: number; text?: string }[];
};

/** Where a provider's account reports on its messages, and what it signs with. */
export type Account = { callbackUrl: string; secret: string };

/** What the file keeps: the messages, newest first, with the account of each, and where the accounts call back. */
type Kept = {
  messages: { message: Received; account?: Account }[];
  accounts: [name: string, where: Account][];
};

const MOST = 2_000;
const KEPT = 500;
// A burst of messages is written once.
const SAVED_AFTER_MS = 200;

/** All that the stand-ins were sent, newest first; the newest are kept in a file, where one is given. */
export class Inbox {
  readonly #messages: Received[] = [];
  readonly #accounts = new Map<string, Account>();
  readonly #accountOf = new WeakMap<Received, Account>();
  readonly #file: string | undefined;
  #saving: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(file?: string) {
    this.#file = file;
    const { messages = [], accounts = [] } = readKept<Kept>(file) ?? {};
    for (const { message, account } of messages) {
      this.#messages.push(message);
      if (account !== undefined) this.#accountOf.set(message, account);
    }
    for (const [name, where] of accounts) this.#accounts.set(name, where);
  }

  add(message: Omit<Received, "at" | "events">, account: Account | undefined): Received {
    const received: Received = { ...message, at: new Date().toISOString(), events: [] };
    this.#messages.unshift(received);
    this.#messages.splice(MOST);
    if (account !== undefined) this.#accountOf.set(received, account);
    this.changed();
    return received;
  }

  /** The messages, newest first; those to one address, where it is given. */
  list(to: string | null): Received[] {
    return this.#messages.filter((message) => to === null || message.to === to);
  }

  /** The message of an id, or of our reference to it. */
  find(id: string): Received | undefined {
    return this.#messages.find((message) => message.id === id || message.reference === id);
  }

  /** Enters where an account calls back, as a provider's dashboard would. */
  enter(account: string, where: Account): void {
    this.#accounts.set(account, where);
    this.changed();
  }

  account(name: string): Account | undefined {
    return this.#accounts.get(name);
  }

  accountOf(message: Received): Account | undefined {
    return this.#accountOf.get(message);
  }

  /** Keeps what has changed, in a moment. */
  changed(): void {
    if (this.#file !== undefined && !this.#isClosed)
      this.#saving ??= setTimeout(() => this.#save(), SAVED_AFTER_MS);
  }

  /** Keeps what has changed now, and nothing of what comes after. */
  close(): void {
    // It may be closed before its process ends, which closes it too.
    if (this.#isClosed) return;
    this.#save();
    this.#isClosed = true;
  }

  #save(): void {
    clearTimeout(this.#saving);
    this.#saving = undefined;
    const messages = this.#messages.slice(0, KEPT).map((message) => {
      const account = this.#accountOf.get(message);
      return account === undefined ? { message } : { message, account };
    });
    const kept: Kept = { messages, accounts: [...this.#accounts] };
    writeKept(this.#file, kept);
  }
}

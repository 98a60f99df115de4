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
  /** Our own name for it, where the provider is told. */
  reference: string | null;
  /** What else was sent along, such as the registered template. */
  details: Record<string, unknown>;
  /** What has happened to it, in order. */
  events: { name: EventName; at: string; answer: number; text?: string }[];
};

/** Where a provider's account tells of its messages, and what it signs with. */
export type Account = { callbackUrl: string; secret: string };

const MOST = 2_000;

/** All that the stand-ins were sent, newest first. In memory: a restart empties it. */
export class Inbox {
  readonly #messages: Received[] = [];
  readonly #accounts = new Map<string, Account>();
  readonly #accountOf = new WeakMap<Received, Account>();

  add(message: Omit<Received, "at" | "events">, account: Account | undefined): Received {
    const received: Received = { ...message, at: new Date().toISOString(), events: [] };
    this.#messages.unshift(received);
    this.#messages.splice(MOST);
    if (account !== undefined) this.#accountOf.set(received, account);
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
  }

  account(name: string): Account | undefined {
    return this.#accounts.get(name);
  }

  accountOf(message: Received): Account | undefined {
    return this.#accountOf.get(message);
  }
}

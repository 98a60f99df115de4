/** How outside services are reached. */
export type Services = {
  /** The base address of a service, without a slash at the end: its own or, in a sandbox and in tests, its stand-in's. */
  addressOf: (service: string, own: string) => string;
  /** The operator's own mailer, for companies without one; null where the platform has none. */
  mailer: Mailer | null;
  /** Where set, the origin of the addresses that are handed out. */
  publicOrigin: string | null;
  /** The one address, and what begins with it, that events may be sent to whatever it is: a sandbox's own page. */
  receiver: string | null;
  /** An event of a type, as one is sent for an example; undefined where the build has none. */
  exampleEvent: (type: string) => Promise<{ data: unknown } | undefined>;
};

/** A binding of the Worker that sends e-mail or, where stand-ins are, none: then one is posted to. */
type Mailer = { from: string; binding?: MailBinding };

/** One e-mail as the binding takes it. */
export type PlatformMail = {
  to: string;
  from: { email: string; name: string };
  replyTo?: string;
  subject: string;
  html: string;
  text: string;
  headers?: Record<string, string>;
  /** `content` is in base64. */
  attachments?: { filename: string; type: string; content: string; disposition: "attachment" }[];
};

export type MailBinding = { send(mail: PlatformMail): Promise<unknown> };

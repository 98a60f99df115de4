type Consumers = Record<string, object>;

// Miniflare hands a queue one batch after the other, where Cloudflare runs many side by side; and workerd has no limit of
// connections for a call. So on one machine all messages that wait are one batch.
const WIDE = 100;
const DECLARED = /(?<=queue = "messages"\nmax_batch_size = )1(?=\n)/;

/** The Worker's options for one machine. */
export function withWideBatches<Options extends object>(declared: Options): Options {
  const { queueConsumers } = declared as { queueConsumers?: Consumers };
  const messages = { ...queueConsumers?.messages, maxBatchSize: WIDE };
  return { ...declared, queueConsumers: { ...queueConsumers, messages } };
}

/** The same for the text of `wrangler.toml`. */
export function withWideBatch(declared: string): string {
  if (!DECLARED.test(declared)) throw new Error("wrangler.toml has no batch of messages to widen");
  return declared.replace(DECLARED, String(WIDE));
}

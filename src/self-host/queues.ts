type Consumers = Record<string, object>;

// Miniflare hands a queue one batch after the other, where Cloudflare runs many side by side; and workerd has no limit of
// connections for a call. So on one machine all that waits to be sent, messages, events and notifications, is one batch.
const WIDE = 100;
const WIDENED = ["messages", "deliveries", "notifications"] as const;

/** The Worker's options for one machine. */
export function withWideBatches<Options extends object>(declared: Options): Options {
  const { queueConsumers } = declared as { queueConsumers?: Consumers };
  const wide = WIDENED.map((queue) => [queue, { ...queueConsumers?.[queue], maxBatchSize: WIDE }]);
  return { ...declared, queueConsumers: { ...queueConsumers, ...Object.fromEntries(wide) } };
}

/** The same for the text of `wrangler.toml`. */
export function withWideBatch(declared: string): string {
  return WIDENED.reduce((text, queue) => {
    const size = new RegExp(`(?<=queue = "${queue}"\\nmax_batch_size = )(?:1|10)(?=\\n)`);
    if (!size.test(text)) throw new Error(`wrangler.toml has no batch of ${queue} to widen`);
    return text.replace(size, String(WIDE));
  }, declared);
}

type Consumers = Record<string, object>;

/**
 * The Worker's options for one machine. Miniflare hands a queue one batch after the other, where Cloudflare runs many side
 * by side; and workerd has no limit of connections for a call. So here all messages that wait are one batch.
 */
export function withWideBatches<Options extends object>(declared: Options): Options {
  const { queueConsumers } = declared as { queueConsumers?: Consumers };
  const messages = { ...queueConsumers?.messages, maxBatchSize: 100 };
  return { ...declared, queueConsumers: { ...queueConsumers, messages } };
}

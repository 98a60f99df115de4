/** Work done outside a request: its kind and ids only, for a queue is no place for contents. Whoever does it types it. */
export type Task = { readonly kind: string; readonly [field: string]: string | number | null };

/** A task as it is queued: with the slug of the company whose it is. */
export type Job<Kinds extends Task = Task> = Kinds & { readonly company: string };

// Runs in workerd around the production bundle: what the Worker asks of others is as far away as a test says, and each
// answer says how many of those requests one after the other it waited for.

/** What the Worker asks: the databases, its objects, its queues, its files, and services that are not ours. */
type Kind = "database" | "object" | "queue" | "file" | "outside";
/** A request that had ended before the answer: which of the turns it took, the first being 1. */
type Hop = { kind: Kind; name: string; turn: number };
/** What one answer waited for: how many turns, and the requests of each. */
export type Trip = { turns: number; hops: Hop[] };

type Bindings = Record<string, unknown>;
type Handlers = {
  fetch: (request: Request, env: Bindings, execution: ExecutionContext) => Promise<Response>;
};
type Asked = (...given: unknown[]) => unknown;

const OBJECTS: readonly string[] = [
  "RATE_LIMITER",
  "IDEMPOTENCY",
  "SLOT_PACER",
  "MESSAGING_QUOTA",
  "COMPANY_CLOCK",
];
const KINDS: Readonly<Record<string, Kind>> = {
  MESSAGES: "queue",
  HOUSEKEEPING: "queue",
  DELIVERIES: "queue",
  CLOCK: "queue",
  NOTIFICATIONS: "queue",
  FILES: "file",
};
const DISTANCE = "/test/distance/";
const DATABASE = /\/dev\/([^/]+)\//;
/** The header of an answer that holds its trip, as JSON. */
export const TRIP = "Test-Trip";

let distanceMs = 0;
// Calls come one at a time: what begins belongs to the last.
let trip: Trip = { turns: 0, hops: [] };

/**
 * The Worker with its databases, objects, queues and files so many milliseconds away as `PUT /test/distance/MS` said
 * last. A request that begins after another has ended waits for it: the turns are counted so, and no clock is read.
 */
export function far<Worker extends Handlers>(worker: Worker): Worker {
  const known = new WeakMap<Bindings, Bindings>();
  const ask = globalThis.fetch;
  globalThis.fetch = ((input: RequestInfo, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    const database = DATABASE.exec(url.pathname)?.[1];
    const send = () => ask(input, init);
    return database === undefined ? hop("outside", url.pathname, send) : hop("database", database, send);
  }) as typeof fetch;
  return {
    ...worker,
    async fetch(request: Request, env: Bindings, execution: ExecutionContext) {
      const path = new URL(request.url).pathname;
      if (path.startsWith(DISTANCE)) {
        distanceMs = Number(path.slice(DISTANCE.length));
        return new Response(null, { status: 204 });
      }
      const distant = known.get(env) ?? distantBindings(env);
      known.set(env, distant);
      const own: Trip = { turns: 0, hops: [] };
      trip = own;
      const { status, headers, body } = await worker.fetch(request, distant, execution);
      return new Response(body, { status, headers: [...headers, [TRIP, JSON.stringify(own)]] });
    },
  };
}

/** One request to what is far: it takes the turn after those that have ended. A service of others costs no turn of ours. */
async function hop<T>(kind: Kind, name: string, send: () => T | Promise<T>): Promise<T> {
  const own = trip;
  const turn = own.turns + (kind === "outside" ? 0 : 1);
  try {
    if (distanceMs > 0 && kind !== "outside") await scheduler.wait(distanceMs);
    return await send();
  } finally {
    own.turns = Math.max(own.turns, turn);
    own.hops.push({ kind, name, turn });
  }
}

function distantBindings(env: Bindings): Bindings {
  const entries = Object.entries(env).map(([name, binding]) => {
    if (OBJECTS.includes(name)) return [name, distantObjects(name, binding as DurableObjectNamespace)];
    const kind = KINDS[name];
    return [name, kind === undefined ? binding : distant(kind, name, binding as object)];
  });
  return Object.fromEntries(entries);
}

function distantObjects(name: string, namespace: DurableObjectNamespace) {
  return { getByName: (id: string) => distant("object", name, namespace.getByName(id)) };
}

/** The binding, or the stub of an object, of which each method is a request. */
function distant(kind: Kind, name: string, near: object): object {
  return new Proxy(near, {
    get: (target, method) => {
      const asked = (target as Record<string | symbol, Asked>)[method];
      return (...given: unknown[]) =>
        // Of a stub each property is a method of the object, `apply` too.
        hop(kind, `${name}.${String(method)}`, () => asked && Reflect.apply(asked, target, given));
    },
  });
}

import { expect, test, vi } from "vitest";
import { dispatchRecipient } from "../../../src/features/messaging/dispatch/dispatch-recipient.ts";
import { attach, mail, openWorld, sms } from "./records.ts";
import type { MessagingWorld } from "./world.ts";

// What the Worker tries again, it does after real pauses.
vi.setConfig({ testTimeout: 60_000 });

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const SUBMITTED = { status: "submitted", dispatch_state: "dispatched", reason: null, attempts: 1, marks: 1 };
const SENT = { ...SUBMITTED, status: "sent" };
const FAILED = { status: "failed", dispatch_state: "dead", attempts: 1, marks: 1 };
const UNKNOWN = { ...FAILED, reason: "unknown" };

type Scenario = {
  /** What happens to one message, an SMS or an e-mail, on its way. */
  when: string;
  channel: "sms" | "email";
  happens: (world: MessagingWorld) => void;
  /** How its recipient ends. */
  ends: object;
  /** How often its provider took it; empty where it was never asked. */
  taken: number[];
};

/** Points 1 to 10 of a run: before and after the look who waits, the lease, the row that says that the provider is asked, the asking, its outcome. */
const dies = (point: number, channel: Scenario["channel"], ends: object, taken: number[]): Scenario => ({
  ...{ when: `its run dies at point ${point}`, channel, ends, taken },
  happens: (world) => world.dieAt(point),
});
const refuses = (status: number, times: number, ends: object, taken: number[]): Scenario => ({
  ...{ when: `${times} times its provider answers ${status}`, channel: "sms", ends, taken },
  happens: (world) => world.providers.refuse(times, status),
});
const loses = (minutes: number, channel: Scenario["channel"], ends: object): Scenario => ({
  ...{
    when: `no database can record for ${minutes} minutes what its provider accepted`,
    channel,
    ends,
    taken: [1],
  },
  happens: (world) => world.loseDatabasesOnceAsked(minutes * MINUTE_MS),
});

const SCENARIOS: Scenario[] = [
  // Before it says that it asks, a run hands over again, and nothing is unknown.
  ...[1, 2, 3, 4, 5].map((point) => dies(point, "sms", { ...SUBMITTED, in_doubt: 0 }, [1])),
  // While it asks: an SMS is never sent twice; a provider that sends each reference once is asked again.
  dies(6, "sms", UNKNOWN, []),
  dies(7, "sms", UNKNOWN, []),
  dies(8, "sms", UNKNOWN, [1]),
  dies(9, "sms", UNKNOWN, [1]),
  dies(8, "email", { ...SENT, attempts: 2 }, [2]),
  dies(10, "sms", SUBMITTED, [1]),
  ...[500, 502, 503, 504].map((status) => refuses(status, 1, UNKNOWN, [0])),
  refuses(400, 1, { ...FAILED, reason: "provider_rejected" }, [0]),
  refuses(429, 3, { ...SUBMITTED, attempts: 4 }, [1]),
  refuses(429, 1_000, { ...FAILED, reason: "dispatch_exhausted", attempts: 9 }, [0]),
  loses(4, "sms", SUBMITTED),
  loses(4, "email", SENT),
  // The hourly job took it for unknown by then, unless its run came first.
  loses(11, "sms", { ...SUBMITTED, marks: expect.toBeOneOf([1, 2]) }),
  {
    when: "it is a day old",
    channel: "sms",
    happens: (world) => {
      world.now += DAY_MS + 1;
    },
    ends: { ...FAILED, reason: "expired", attempts: 0 },
    taken: [],
  },
];

test.each(SCENARIOS)("of one $channel, when $when", async ({ channel, happens, ends, taken }) => {
  using world = await openWorld();
  await (channel === "sms" ? sms(world) : mail(world, "meera@asha.example"));
  happens(world);
  await world.settle();
  const recipients = await world.recipients();
  expect(recipients).toMatchObject([ends]);
  expect(world.providers.taken()).toEqual(taken);
  if (recipients[0]?.dispatch_state === "dispatched")
    expect(recipients[0].provider_message_id).toBe([...world.providers.sent.values()][0]?.id);
  expect(world.counts.deadLetters).toBe(0);
});

test("what waited while a database was away ends by no dead letter: its job is put back, and it goes out", async () => {
  using world = await openWorld();
  const { id: message } = await sms(world, 1);
  await sms(world, 2);
  await world.loseAllBut({ kind: "dispatch", message });
  await world.settle();
  const submitted = { ...SUBMITTED, requeues: 0 };
  expect(await world.recipients()).toMatchObject([submitted, submitted]);
  expect(world.providers.taken()).toEqual([1, 1]);
});

test("what its provider may have is unknown, also when its tries or its time are over", async () => {
  using world = await openWorld();
  const send = async () => (await sms(world)).recipients[0]?.id ?? 0;
  const [lapsed, old, repeated] = [await send(), await send(), await send()];
  await world.company.database().executeMultiple(`
    UPDATE message_recipients SET dispatch_state = 'dispatching', lease = 'lost', leased_until = 0;
    UPDATE message_recipients SET dispatch_state = 'pending', lease = NULL, in_doubt = 1 WHERE id = ${repeated};
  `);
  await dispatchRecipient(world.ctx(), lapsed, attach);
  await dispatchRecipient(world.ctx(), repeated, attach);
  world.now += DAY_MS + 60 * MINUTE_MS;
  await dispatchRecipient(world.ctx(), old, attach);
  const unknown = { status: "failed", reason: "unknown" };
  expect(await world.recipients()).toMatchObject([unknown, unknown, unknown]);
});

test("whom the platform's mailer suppresses has failed, and is on no list of the company", async () => {
  const asked: string[] = [];
  const send = async ({ to }: { to: string }) => {
    asked.push(to);
    throw Object.assign(new Error("On the list"), { code: "E_RECIPIENT_SUPPRESSED" });
  };
  using world = await openWorld({ mailer: { send } });
  for (let index = 0; index < 2; index += 1) {
    await mail(world, "meera@asha.example");
    await world.settle();
  }
  const suppressed = { ...FAILED, reason: "suppressed" };
  expect(await world.recipients()).toMatchObject([suppressed, suppressed]);
  // The list ages there, so each message asks anew.
  expect(asked).toEqual(["meera@asha.example", "meera@asha.example"]);
});

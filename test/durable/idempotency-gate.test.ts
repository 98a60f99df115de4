import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";

/** A gate of the test's own. */
const gate = () => env.IDEMPOTENCY.getByName(crypto.randomUUID());

afterEach(() => {
  vi.useRealTimers();
});

test("lets the first run, and answers those who waited that it is finished", async () => {
  const stub = gate();
  expect(await stub.enter("one")).toBe("run");
  const waiting = [stub.enter("one"), stub.enter("one"), stub.enter("one")];
  await stub.leave("one", true);
  expect(await Promise.all(waiting)).toEqual(["finished", "finished", "finished"]);
});

test("lets one of those who waited run when the first has failed, and the others wait for it", async () => {
  const stub = gate();
  await stub.enter("one");
  const answers: string[] = [];
  const waiting = [1, 2, 3].map(async () => {
    const answer = await stub.enter("one");
    answers.push(answer);
    if (answer === "run") await stub.leave("one", true);
  });
  await stub.leave("one", false);
  await Promise.all(waiting);
  expect(answers.toSorted()).toEqual(["finished", "finished", "run"]);
});

test("never lets two run at once, whatever their order and outcome", async () => {
  const stub = gate();
  let running = 0;
  let most = 0;
  const call = async (index: number) => {
    const answer = await stub.enter("one");
    if (answer !== "run") return answer;
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 1));
    running -= 1;
    await stub.leave("one", index % 7 === 6);
    return answer;
  };
  const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => call(index)));
  expect(most).toBe(1);
  expect(answers).not.toContain("busy");
});

test("is open again when all have left", async () => {
  const stub = gate();
  await stub.enter("one");
  await stub.leave("one", true);
  expect(await stub.enter("one")).toBe("run");
});

test("answers one who has waited 5 seconds that it is busy", async () => {
  await runInDurableObject(gate(), async (instance) => {
    vi.useFakeTimers();
    expect(await instance.enter("one")).toBe("run");
    let answer: string | undefined;
    const waiting = instance.enter("one").then((given) => {
      answer = given;
    });
    await vi.advanceTimersByTimeAsync(4_999);
    expect(answer).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await waiting;
    expect(answer).toBe("busy");
  });
});

test("lets another run 15 seconds after one who never left", async () => {
  await runInDurableObject(gate(), async (instance) => {
    vi.useFakeTimers();
    await instance.enter("one");
    await vi.advanceTimersByTimeAsync(14_999);
    const waiting = instance.enter("one");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await waiting).toBe("busy");
    expect(await instance.enter("one")).toBe("run");
  });
});

test("lets only the one whose turn it is leave", async () => {
  await runInDurableObject(gate(), async (instance) => {
    vi.useFakeTimers();
    await instance.enter("late");
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await instance.enter("next")).toBe("run");
    instance.leave("late", true);
    const waiting = instance.enter("third");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await waiting).toBe("busy");
  });
});

test("is open when it was evicted: the operations table decides, the gate only spares it work", async () => {
  const stub = gate();
  await stub.enter("one");
  await evictDurableObject(stub);
  expect(await stub.enter("one")).toBe("run");
});

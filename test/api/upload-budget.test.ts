import { beforeEach, describe, expect, test } from "vitest";
import { type Arrival, UploadBudget, type Waiting } from "#api/bodies/upload-budget.ts";

const BUDGET = 40;
let now = 0;
let budget: UploadBudget;
beforeEach(() => {
  now = 1_000;
  budget = new UploadBudget(BUDGET);
});

const form = (company: string, bytes = 11): Waiting => ({ company, bytes, since: now, askedAt: now });
const ask = (waiting: Waiting) => budget.ask(waiting, now);
const begin = (company: string, bytes?: number) => ask(form(company, bytes)) as Arrival;

/** Lets so many milliseconds pass, in which each body gets so many bytes a second. */
function pass(milliseconds: number, speeds: [Arrival, number][]): void {
  now += milliseconds;
  for (const [arrival, speed] of speeds) {
    arrival.received += (speed * milliseconds) / 1_000;
    arrival.lastByteAt = now;
  }
}

describe("forms share a budget of bytes", () => {
  test("small ones go beside large ones, as far as all of them fit", () => {
    begin("asha");
    begin("asha");
    begin("asha");
    expect(begin("asha")).toBeUndefined();
    expect(begin("meera", 7)).toMatchObject({ company: "meera", bytes: 7 });
    expect(begin("meera", 1)).toBeUndefined();
  });

  test("bytes that are released are there for the next", () => {
    const bodies = [begin("asha", 20), begin("asha", 20)];
    const waiting = form("asha", 20);
    expect(ask(waiting)).toBeUndefined();
    if (bodies[0] !== undefined) budget.release(bodies[0]);
    expect(ask(waiting)).toBeDefined();
  });
});

describe("when the budget is full and another company waits", () => {
  test("the budget ends the slowest body of the company that holds most, one at a time", () => {
    const [slow, fast, other] = [begin("asha", 10), begin("asha", 10), begin("ravi", 15)];
    pass(5_000, [
      [slow, 20],
      [fast, 200],
      [other, 1],
    ]);
    const waiting = form("meera", 10);
    expect(ask(waiting)).toBeUndefined();
    expect([slow, fast, other].map(({ endedAt }) => endedAt)).toEqual([now, undefined, undefined]);
    expect(ask(waiting)).toBeUndefined();
    expect(fast.endedAt).toBeUndefined();
    budget.release(slow);
    expect(ask(waiting)).toBeDefined();
  });

  test("none is ended that has just begun, or is complete, or is of the company that waits", () => {
    const [young, whole] = [begin("asha", 20), begin("asha", 20)];
    pass(4_000, [[young, 1]]);
    whole.completeAt = now;
    const waiting = form("meera");
    ask(waiting);
    expect(young.endedAt).toBeUndefined();
    pass(1_500, [[young, 1]]);
    ask(form("asha"));
    expect([young.endedAt, whole.endedAt]).toEqual([undefined, undefined]);
    ask(waiting);
    expect([young.endedAt, whole.endedAt]).toEqual([now, undefined]);
  });

  test("the room goes to the company that holds nothing, before the earlier forms of one that does", () => {
    const dripping = ["asha", "ravi", "tara"].map((company) => begin(company));
    const crowd = ["asha", "ravi", "tara", "asha", "ravi", "tara"].map((company) => form(company));
    const latest = form("meera");
    let got: Arrival | undefined;
    for (let waited = 0; got === undefined && waited < 15_000; waited += 50) {
      pass(
        50,
        dripping.map((body): [Arrival, number] => [body, 1]),
      );
      for (const waiting of crowd) expect(ask(waiting)).toBeUndefined();
      got = ask(latest);
      for (const body of dripping) if (body.endedAt !== undefined) budget.release(body);
    }
    expect(got).toMatchObject({ company: "meera" });
  });
});

describe("a caller that went away", () => {
  test("leaves its bytes 12 seconds after its last one, or a minute after the whole body was there", () => {
    const [half, whole] = [begin("asha", 20), begin("asha", 20)];
    whole.completeAt = now;
    const next = form("asha", 20);
    now += 11_000;
    expect(ask(next)).toBeUndefined();
    now += 1_500;
    const young = ask(next);
    expect(young).toBeDefined();
    expect(half.endedAt).toBeUndefined();
    if (young !== undefined) young.completeAt = now;
    const last = form("meera", 20);
    now += 46_000;
    expect(ask(last)).toBeUndefined();
    now += 2_000;
    expect(ask(last)).toBeDefined();
  });

  test("does not keep its place in the line", () => {
    const body = begin("asha", 40);
    ask(form("meera", 40));
    const waiting = form("tara", 1);
    now += 2_500;
    budget.release(body);
    expect(ask(waiting)).toBeDefined();
  });
});

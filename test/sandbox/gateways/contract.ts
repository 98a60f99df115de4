import { expect, it, vi } from "vitest";
import type { Kind } from "../../../src/sandbox/gateways/merchants.ts";
import { call, eventsReceived, gateways, openAccount, pay, received, useGateways } from "./harness.ts";
import {
  AMOUNT,
  authorizationOf,
  clientOf,
  end,
  KEY,
  ledger,
  moneyBack,
  newOrder,
  newPayment,
  PART,
  type Paid,
  payableOf,
  refund,
  said,
  setFaults,
  type Ways,
} from "./payments.ts";

const HOUR_MS = 3_600_000;
const OTHER_KEY = "rf-01KAJ7Q3M8Z5T1V9B2C4D6F8GJ";

const sums = (paid: Paid) =>
  ledger(paid).then((all) => all.map(({ amount, source, state }) => [amount, source, state]));

/** What every gateway's stand-in must do, seen by the project's own client of that gateway where it can. */
export function holdsContract(kind: Kind, ways: Ways): void {
  useGateways();

  const { give, look, lookAt, open, payments, refunds, verify } = clientOf(kind);

  it("opens a payment for its own account alone, and once for a name where it does", async () => {
    const merchant = openAccount(kind);
    const payable = payableOf(merchant);
    const [first, second] = [await open(merchant, payable), await open(merchant, payable)];
    const { gatewayOrderId: id } = first;
    expect(first.paymentUrl).toBe(ways.opens.page ? `${gateways.url}/pay/${kind}/${id}` : null);
    expect(second.gatewayOrderId === id).toBe(ways.opens.once);
    const stranger = openAccount(kind);
    const theirs = await open(stranger, payable);
    expect(theirs.gatewayOrderId).not.toBe(id);
    const ordered = { kind, merchant, authorization: "", order: id };
    await expect(lookAt(ordered, stranger)).rejects.toMatchObject({ retry: false });
    const guessed = { ...merchant, secret: "guessed" };
    await expect(lookAt(ordered, guessed)).rejects.toMatchObject({ retry: false, status: 401 });
  });

  it.each([
    ["paid", [AMOUNT]],
    ["wrong_amount", [AMOUNT - 1]],
    ["twice", [AMOUNT, AMOUNT]],
  ] as const)(
    "says in events that it was %s, signed byte for byte, to its company",
    async (outcome, amounts) => {
      const of = await newOrder(kind);
      await pay(kind, of.order, "failed");
      expect(await lookAt(of)).not.toContainEqual(expect.objectContaining({ state: "paid" }));
      received.length = 0;
      const { body } = await pay(kind, of.order, outcome);
      const paid = new Map((await payments(of)).map((report) => [report.gatewayPaymentId, report]));
      expect([...paid.values()].map(({ amount }) => amount)).toEqual(amounts);
      expect(body.payment_ids).toEqual(expect.arrayContaining([...paid.keys()]));
      const { currency } = ways;
      for (const report of paid.values())
        expect(report).toMatchObject({ gatewayOrderId: of.order, currency });
      if (outcome === "paid")
        expect(await lookAt(of)).toMatchObject([{ state: "paid", amount: AMOUNT, currency }]);
      for (const one of received) {
        expect(one.path).toBe(`/api/v1/storefront/${of.merchant.company}/webhook/${kind}`);
        expect(await verify(of, one)).toBe(true);
        expect(await verify(of, one, "another secret")).toBe(false);
        for (const forged of [
          one.body.replace(of.order, "another"),
          JSON.stringify(JSON.parse(one.body), null, 1),
        ])
          expect(await verify(of, { ...one, body: forged })).toBe(false);
      }
      expect((await pay(kind, of.order, outcome)).status).toBe(409);
    },
  );

  it("gives a part back: the answer, the list, the event and the ledger say the same", async () => {
    const paid = await newPayment(kind);
    expect(await look(paid)).toEqual([]);
    const report = await give(paid);
    expect(report).toMatchObject({ key: KEY, amount: PART, state: "succeeded", kind: "refund" });
    expect(report).toMatchObject({ gatewayPaymentId: paid.payment, currency: ways.currency });
    expect(await look(paid)).toEqual([{ ...report, type: "look" }]);
    expect(await ledger(paid)).toMatchObject([
      { payment_id: paid.payment, amount: PART, key: KEY, source: "api", state: "succeeded" },
    ]);
    await expect.poll(eventsReceived).toEqual(ways.events.made);
    expect(received.every(({ body }) => body.includes(paid.payment))).toBe(true);
    const last = (await refunds(paid)).at(-1);
    expect(last).toEqual({ ...report, type: last?.type });
  });

  it("gives no more back than is left, and nothing of what was given back whole", async () => {
    const paid = await newPayment(kind);
    await refund(paid, PART, "first-half-0001");
    expect(said(await refund(paid, 6_001, "too-much-000001"))).toBe(ways.refusals.tooMuch);
    await refund(paid, null, "the-rest-000001");
    expect(said(await refund(paid, 100, "once-more-00001"))).toBe(ways.refusals.nothingLeft);
    await expect(give(paid)).rejects.toMatchObject({ retry: false, reason: ways.refusals.nothingLeft });
    expect(await sums(paid)).toEqual([
      [PART, "api", "succeeded"],
      [AMOUNT - PART, "api", "succeeded"],
    ]);
  });

  it("answers a key again as long as it says, and gives back once", async () => {
    const paid = await newPayment(kind);
    const [first, second] = [await refund(paid, PART), await refund(paid, PART)];
    expect(second.body).toEqual(first.body);
    const other = await refund(paid, PART - 1);
    if (ways.sameKey === "the first again") expect(other.body).toEqual(first.body);
    else expect(JSON.stringify(other.body.error)).toMatch(/idempotency|idempotent/);
    expect(await ledger(paid)).toHaveLength(1);
    const { hours, isKnown } = ways.forgetsAfter;
    const now = Date.now();
    for (const [age, known] of [
      [hours - 1, true],
      [hours + 1, isKnown],
    ] as const) {
      const clock = vi.spyOn(Date, "now").mockReturnValue(now + age * HOUR_MS);
      const authorization = await authorizationOf(paid.merchant);
      const later = await refund({ ...paid, authorization }, PART);
      clock.mockRestore();
      expect(later.body.id === first.body.id).toBe(known);
    }
  });

  it("gives back no payment that was not captured, none of another account, and none to a stranger", async () => {
    const refused = await refund(await newPayment(kind, ways.uncaptured), 100);
    expect(said(refused)).toContain(ways.refusals.uncaptured);
    const paid = await newPayment(kind);
    const authorization = await authorizationOf(openAccount(kind));
    expect(said(await refund({ ...paid, authorization }))).toContain(ways.refusals.foreign);
    const unknown = { ...paid, merchant: { ...paid.merchant, secret: "guessed" } };
    const refusal = { name: "GatewayError", retry: false, reason: "credentials" };
    await expect(give(unknown)).rejects.toMatchObject(refusal);
    await expect(look(unknown)).rejects.toMatchObject(refusal);
    expect(await ledger(paid)).toEqual([]);
  });

  it.each(["succeeded", "failed"] as const)(
    "lets a refund wait, and then be one that has %s",
    async (outcome) => {
      const paid = await newPayment(kind);
      setFaults(paid, { refund_pending: 1 });
      const { body } = await refund(paid, PART);
      expect(body.status).toBe(ways.states.pending);
      expect(await look(paid)).toMatchObject([{ key: KEY, state: "pending" }]);
      await expect.poll(eventsReceived).toEqual(ways.events.waiting);
      received.length = 0;
      expect((await end(body.id, outcome)).status).toBe(200);
      expect(await look(paid)).toMatchObject([{ key: KEY, state: outcome }]);
      expect(eventsReceived()).toEqual(ways.events[outcome]);
      received.length = 0;
      expect((await end(body.id, "reversed")).status).toBe(409);
    },
  );

  it("lets a refund fail at once, or late, and then gives that money back again", async () => {
    const paid = await newPayment(kind);
    const next = `/pay/accounts/${paid.merchant.account}/payments/${paid.payment}/next-refund`;
    await call(next, "", { outcome: "failed" });
    expect(await give(paid)).toMatchObject({ state: "failed", failureCode: expect.any(String) });
    setFaults(paid, { refund_fails_late: 1 });
    const late = await give(paid, { key: OTHER_KEY, amount: AMOUNT });
    expect(late.state).toBe("succeeded");
    await expect
      .poll(async () => (await sums(paid)).at(-1), { timeout: 5_000 })
      .toEqual([AMOUNT, "api", "failed"]);
    setFaults(paid, {});
    const again = await refund(paid, AMOUNT, "another-key-001");
    expect(again.body.status).toBe(ways.states.succeeded);
    expect((await sums(paid)).at(-1)).toEqual([AMOUNT, "api", "succeeded"]);
    expect((await end(again.body.id, "failed")).status).toBe(ways.failsByHand ? 200 : 409);
  });

  it("refuses or takes with too little money, as it does", async () => {
    const paid = await newPayment(kind);
    setFaults(paid, { refund_refused: 1 });
    const answer = await refund(paid);
    const { poor } = ways.refusals;
    if (poor === null) expect(answer.status).toBe(200);
    else expect(said(answer)).toMatch(poor);
    expect(await ledger(paid)).toHaveLength(poor === null ? 1 : 0);
  });

  it.each([
    ["refused_call", 503, 0],
    ["failed_call", 500, 1],
    ["busy_call", 409, 1],
  ] as const)("meets a refund with a %s, and gives back once all the same", async (fault, status, made) => {
    const [raw, paid] = [await newPayment(kind), await newPayment(kind)];
    for (const one of [raw, paid]) setFaults(one, { [fault]: 1 });
    expect((await refund(raw)).status).toBe(status);
    await expect(give(paid)).rejects.toMatchObject({ name: "GatewayError", retry: true });
    expect(await ledger(paid)).toHaveLength(made);
    setFaults(paid, {});
    const report = await give(paid);
    expect(report).toMatchObject({ key: KEY, amount: PART, state: "succeeded" });
    expect(await look(paid)).toEqual([{ ...report, type: "look" }]);
    expect(await ledger(paid)).toHaveLength(1);
  });

  it("loses an event, sends it late, and sends it twice", async () => {
    const paid = await newPayment(kind);
    setFaults(paid, { lost_event: 1 });
    await refund(paid, 1_000, "a-lost-event-01");
    setFaults(paid, { late_event: 1, duplicate: 1 });
    await refund(paid, 1_000, "a-late-event-01");
    expect(eventsReceived()).toEqual([]);
    const twice = ways.events.made.flatMap((name) => [name, name]);
    await expect.poll(eventsReceived, { timeout: 5_000 }).toEqual(twice);
  });

  it("lets a person at its console give money back, with no key", async () => {
    const paid = await newPayment(kind);
    const { status, body } = await moneyBack(paid, { source: "console", amount: 2_500 });
    expect([status, body.refund.key]).toEqual([200, null]);
    expect(eventsReceived()).toEqual(ways.events.made);
    expect(await look(paid)).toMatchObject([{ key: null, amount: 2_500 }]);
    expect((await moneyBack(paid, { source: "console", amount: 7_501 })).status).toBe(409);
    expect(await sums(paid)).toEqual([[2_500, "console", "succeeded"]]);
  });

  it("takes a payment back for the payer's bank", async () => {
    const { events, reversed, ...taken } = ways.chargeback;
    const paid = await newPayment(kind);
    const { body } = await moneyBack(paid, { source: "chargeback" });
    expect(eventsReceived()).toEqual(events);
    const report = { ...taken, amount: AMOUNT, state: "succeeded", gatewayPaymentId: paid.payment };
    expect((await refunds(paid)).at(-1)).toMatchObject(report);
    expect(await look(paid)).toEqual([]);
    expect(said(await refund(paid))).toBe(ways.refusals.takenBack);
    received.length = 0;
    expect((await end(body.refund.id, "reversed")).status).toBe(reversed === null ? 409 : 200);
    expect(await sums(paid)).toEqual([[AMOUNT, "chargeback", reversed === null ? "succeeded" : "reversed"]]);
    expect(eventsReceived()).toEqual(reversed ?? []);
    if (reversed !== null)
      expect((await refunds(paid)).at(-1)).toMatchObject({ ...report, kind: "chargeback_reversed" });
  });
}

import { fill, sum } from "#shared/money/shares.ts";
import { returned, withAllocation } from "#shared/moves/allocate.ts";
import { captureReported } from "#shared/moves/captures.ts";
import { type End, end, type Move, touches } from "#shared/moves/move.ts";
import {
  refundableOfCredit,
  refundableOfPool,
  refundFailed,
  refundReported,
  refundSucceeded,
  type Share,
  sharedOut,
} from "#shared/moves/refunds.ts";
import {
  type Cause,
  dueOf,
  freeCreditOf,
  moved,
  type Sale,
  unusedOf,
  withMoves,
} from "#shared/moves/sale.ts";
import { stateOf } from "#shared/moves/state-of.ts";
import { partsToAllocate } from "#shared/moves/to-allocate.ts";
import { Gateways, type RefundState, type Report } from "./gateways.ts";
import { SALE, TOTAL } from "./order.ts";

/** What a run draws of one step. */
export type Draws = readonly [what: number, which: number, amount: number];

/** An order and its customer's other invoice, what staff do with them, and gateways that keep ledgers of their own. */
export class World extends Gateways {
  sale = SALE;
  /** What came, and fitted nothing yet. */
  #early: Report[] = [];
  /** How refunds stand here. */
  readonly known = new Map<string, RefundState>();
  /** What staff marked as given back at the gateway, by capture. */
  readonly #byHand = new Map<number, number>();
  #credited = 0;
  #steps = 0;

  step([what, which, amount]: Draws): void {
    const acts = [
      () => this.pay(which, amount),
      () => this.pay(which, amount),
      () => this.giveBack(which, amount),
      () => this.finish(which, amount),
      () => this.arrive(which),
      () => this.arrive(which),
      () => this.arrive(which),
      () => this.#payByHand(which, amount),
      () => this.#credit(which, amount),
      () => this.#voidNote(which),
      () => this.#useCredit(which, amount),
      () => this.#refundPool(amount),
      () => this.#refundCredit(which, amount),
      () => this.#settle(which),
      () => this.#takeBack(which),
    ];
    acts[what % acts.length]?.();
  }

  /** One of the reports comes, and with it those that came before it and wait for what it says. */
  arrive(which: number): void {
    const [report] = this.onTheWire.splice(which % Math.max(1, this.onTheWire.length), 1);
    if (report === undefined) return;
    this.#early.push(report);
    for (let seen = -1; seen !== this.#early.length; ) {
      seen = this.#early.length;
      this.#early = this.#early.filter((one) => !this.#apply(one));
    }
  }

  /** What a report writes; undefined where it fits nothing yet. */
  decided(report: Report): Move[] | undefined {
    const { sale } = this;
    if ("capture" in report) {
      const { id, currency } = report.capture;
      const cause = { by: `capture:${id}:${report.total}`, at: 0 };
      const pay = (seen: Sale) => this.#invoice(seen, cause, id, report.total);
      return captureReported(sale, cause, { id, total: report.total, currency }, pay);
    }
    const { id, captureId } = report.refund;
    const cause = { by: `${id}:${report.state}`, at: 0 };
    const known = this.known.get(id);
    if (known === undefined && report.state !== "failed") {
      const isBack = report.state === "succeeded";
      const ofCapture = this.refunds.filter((one) => one.captureId === captureId && one.state === "failed");
      const unsent = ofCapture.filter((one) => this.known.get(one.id) === "pending");
      const said = {
        ...report.refund,
        isBack,
        unsent: sum(unsent.map((one) => one.amount)),
        byHand: [...this.#byHand].map(([captureId, amount]): Share => ({ captureId, amount })),
      };
      const moves = refundReported(sale, cause, said);
      return moves.length === 0 ? undefined : moves;
    }
    if (known === undefined)
      return stateOf(sale.moves).captures.some((one) => one.id === captureId) ? [] : undefined;
    if (known === "failed" || report.state === "pending") return [];
    return report.state === "failed" ? refundFailed(sale, cause, id) : refundSucceeded(sale, cause, id);
  }

  #apply(report: Report): boolean {
    const moves = this.decided(report);
    if (moves === undefined) return false;
    if ("refund" in report) {
      const { id } = report.refund;
      const known = this.known.get(id) ?? "pending";
      if (known !== "failed" && !(known === "succeeded" && report.state === "pending"))
        this.known.set(id, report.state);
    }
    this.#write(moves);
    return true;
  }

  #write(moves: readonly Move[]): void {
    this.sale = withMoves(this.sale, moves);
    for (const { captureId, amount } of moves.filter(({ from }) => from.kind === "settled"))
      this.#mark(captureId, -amount);
  }

  #mark(captureId: number | null, amount: number): void {
    if (captureId !== null) this.#byHand.set(captureId, amount + (this.#byHand.get(captureId) ?? 0));
  }

  /** A payment of the order's price, with a fee above it or not, or of another amount or currency. */
  #invoice(sale: Sale, cause: Cause, id: number, total: number): Move[] {
    const own = stateOf(sale.moves).captures.find((capture) => capture.id === id);
    const isKnown = this.sale.moves.some(({ captureId }) => captureId === id);
    const isExact =
      !isKnown && own?.currency === sale.currency && total >= TOTAL && total <= TOTAL + this.fee;
    if (own === undefined || !isExact || dueOf(sale, "1") < TOTAL || own.pool < total) return [];
    const pool = end("pool", sale.name);
    return [
      ...moved(sale, cause, [pool, end("invoice", "1")], TOTAL, id),
      ...moved(sale, cause, [pool, end("fee", cause.by)], total - TOTAL, id),
    ];
  }

  #cause(): Cause {
    this.#steps += 1;
    return { by: `call:${this.#steps}`, at: this.#steps };
  }

  #payByHand(which: number, amount: number): void {
    const id = String(1 + (which % 2));
    const cause = this.#cause();
    const from = end(which % 5 === 0 ? "tds" : "hand", cause.by);
    const part = Math.min(dueOf(this.sale, id), 1 + (amount % TOTAL));
    this.#write(moved(this.sale, cause, [from, end("invoice", id)], part));
  }

  /** A credit note over a part of what no note credits. */
  #credit(which: number, amount: number): void {
    const invoice = this.sale.invoices[which % 2];
    const notes = this.sale.notes.filter((note) => note.invoice === invoice?.id);
    const left = (invoice?.total ?? 0) - sum(notes.map(({ total }) => total));
    if (invoice === undefined || invoice.isVoided || left === 0) return;
    this.#credited += 1;
    const total = amount % 3 === 0 ? left : 1 + (amount % left);
    const note = { id: String(this.#credited), invoice: invoice.id, total };
    this.sale = { ...this.sale, notes: [...this.sale.notes, note] };
    this.#write(withAllocation(this.sale, this.#cause(), []));
  }

  #voidNote(which: number): void {
    const note = this.sale.notes[which % Math.max(1, this.sale.notes.length)];
    if (note === undefined) return;
    const own = this.sale.moves.filter((move) => touches(move, end("note", note.id)));
    if (own.some((move) => !touches(move, end("invoice", note.invoice)))) return;
    this.sale = { ...this.sale, notes: this.sale.notes.filter((one) => one !== note) };
    this.#write(returned(this.sale, this.#cause(), (move) => touches(move, end("note", note.id))));
  }

  /** Credit pays the customer's other invoice, or is paid out. */
  #useCredit(which: number, amount: number): void {
    const note = this.sale.notes[which % Math.max(1, this.sale.notes.length)];
    if (note === undefined) return;
    const unused = Math.min(unusedOf(this.sale, note), freeCreditOf(this.sale, note.invoice));
    const free = Math.min(unused, 1 + (amount % TOTAL));
    const cause = this.#cause();
    const other = note.invoice === "1" ? "2" : "1";
    const [to, most] =
      amount % 2 === 0 ? [end("payout", cause.by), free] : [end("invoice", other), dueOf(this.sale, other)];
    this.#write(moved(this.sale, cause, [end("note", note.id), to], Math.min(free, most)));
  }

  #refundPool(amount: number): void {
    for (const share of sharedOut(1 + (amount % TOTAL), refundableOfPool(stateOf(this.sale.moves))))
      this.#send(share, end("pool", this.sale.name));
  }

  #refundCredit(which: number, amount: number): void {
    const invoice = String(1 + (which % 2));
    const notes = this.sale.notes.filter((note) => note.invoice === invoice);
    const shares = sharedOut(1 + (amount % TOTAL), refundableOfCredit(this.sale, invoice));
    for (const { captureId, amount: share } of shares) {
      const unused = notes.map((note) => unusedOf(this.sale, note));
      for (const [place, part] of fill(share, unused).entries())
        this.#send({ captureId, amount: part }, end("note", notes[place]?.id ?? ""));
    }
  }

  /** The gateway refuses what it has given back already. */
  #send({ captureId, amount }: Share, from: End): void {
    const capture = this.captures.find(({ id }) => id === captureId);
    if (capture === undefined || amount === 0) return;
    const hasRoom = amount <= this.left(capture);
    const refund = this.made(captureId, amount, true);
    this.known.set(refund.id, "pending");
    this.#write(moved(this.sale, this.#cause(), [from, end("refund", refund.id)], amount, captureId));
    if (hasRoom) return;
    refund.state = "failed";
    this.onTheWire.push({ refund, state: "failed" });
  }

  /** Staff gave the pool back by hand: by a bank, or at the gateway, where it may be reported later; or it pays an invoice. */
  #settle(which: number): void {
    const cause = this.#cause();
    for (const { id: captureId, pool, currency } of stateOf(this.sale.moves).captures) {
      const isPaying = which % 3 === 2;
      if (isPaying && currency !== this.sale.currency) continue;
      const amount = isPaying ? Math.min(pool, dueOf(this.sale, "2")) : pool;
      const to = isPaying ? end("invoice", "2") : end("settled", cause.by);
      this.#write(moved(this.sale, cause, [end("pool", this.sale.name), to], amount, captureId));
      if (which % 3 === 0) this.#mark(captureId, amount);
    }
  }

  /** A payment is taken back, or its invoice voided, where no note stands and no gateway gave its money back. */
  #takeBack(which: number): void {
    const invoice = this.sale.invoices[which % 2];
    const hasNote = this.sale.notes.some((note) => note.invoice === invoice?.id);
    const parts = partsToAllocate(stateOf(this.sale.moves));
    const isGivenBack = parts.some(({ document }) => document === `invoice:${invoice?.id}`);
    if (invoice === undefined || hasNote || isGivenBack) return;
    const isVoided = which % 5 === 0;
    const its = (move: Move) =>
      touches(move, end("invoice", invoice.id)) && (isVoided || move.from.kind !== "note");
    const invoices = this.sale.invoices.map((one) =>
      one === invoice ? { ...one, isVoided: one.isVoided || isVoided } : one,
    );
    this.sale = { ...this.sale, invoices };
    this.#write(returned(this.sale, this.#cause(), its));
  }
}

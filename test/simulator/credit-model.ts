// An independent model of credit notes, in whole paise and thousandths.
type Heads = readonly [cgst: bigint, sgst: bigint, igst: bigint];
type Line = { quantity: bigint; taxable: bigint; heads: Heads };
export type Asked = { line: number; quantity?: bigint; taxable?: bigint };
type Credited = { line: number; quantity: bigint; taxable: bigint; heads: Heads };

export type Note = {
  withTax: boolean;
  isVoided: boolean;
  items: Credited[];
  roundOff: bigint;
  total: bigint;
  /** What it took off what is due, by the place of the invoice. */
  applied: bigint[];
  paidOut: bigint;
};
export type Invoice = { lines: Line[]; roundOff: bigint; total: bigint; paid: bigint; isVoided: boolean };

const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);
const least = (one: bigint, other: bigint) => (one < other ? one : other);
const most = (one: bigint, other: bigint) => (one > other ? one : other);
/** Half away from zero. */
const share = (amount: bigint, part: bigint, whole: bigint) => {
  const up = (amount < 0n ? -amount : amount) * part;
  const rounded = (2n * up + whole) / (2n * whole);
  return amount < 0n ? -rounded : rounded;
};

const worthOf = (items: readonly Credited[]) =>
  sum(items.flatMap(({ taxable, heads }) => [taxable, ...heads]));

/** Two invoices of one customer, and their notes. */
export class Credits {
  readonly notes: Note[][] = [[], []];
  readonly invoices: Invoice[];
  constructor(invoices: Invoice[]) {
    this.invoices = invoices;
  }

  live(place: number): Note[] {
    return (this.notes[place] ?? []).filter(({ isVoided }) => !isVoided);
  }
  invoice(place: number): Invoice {
    const invoice = this.invoices[place];
    if (invoice === undefined) throw new Error(`There is no invoice ${place}`);
    return invoice;
  }
  credited(place: number): bigint {
    return sum(this.notes.flat().map(({ applied }) => applied[place] ?? 0n));
  }
  due(place: number): bigint {
    const { total, paid, isVoided } = this.invoice(place);
    return isVoided ? 0n : total - paid - this.credited(place);
  }
  unapplied({ isVoided, total, applied, paidOut }: Note): bigint {
    return isVoided ? 0n : total - sum(applied) - paidOut;
  }
  /** What is left of a line, by its place. */
  left(place: number, line: number): { quantity: bigint; taxable: bigint } {
    const of = this.invoice(place).lines[line];
    if (of === undefined) throw new Error(`There is no line ${line}`);
    const taken = this.of(place, line);
    return {
      quantity: of.quantity - sum(taken.map(({ quantity }) => quantity)),
      taxable: of.taxable - sum(taken.map(({ taxable }) => taxable)),
    };
  }

  /** Issues a note, or says that it asks for more than is left, or for nothing. */
  issue(place: number, asked: readonly Asked[], withTax: boolean): Note | "refused" {
    const items: Credited[] = [];
    for (const { line, quantity = 0n, taxable } of asked) {
      const left = this.left(place, line);
      if (quantity > left.quantity || (taxable ?? 0n) > left.taxable) return "refused";
      const value = taxable ?? share(left.taxable, quantity, left.quantity);
      items.push({ line, quantity, taxable: value, heads: this.heads(place, line, value, withTax) });
    }
    const value = sum(items.map(({ taxable }) => taxable));
    if (value === 0n) return "refused";
    // A commercial note over amounts is worth exactly these.
    const isAgreed = !withTax && asked.every(({ taxable }) => taxable !== undefined);
    if (isAgreed && value > this.uncredited(place)) return "refused";
    const left = this.uncredited(place) - worthOf(items);
    const roundOff = isAgreed ? 0n : least(this.roundOff(place, value, withTax), left);
    return this.add(place, withTax, items, roundOff);
  }

  /** Issues a note over an amount, by the values that it was spread to. */
  issueOver(place: number, amount: bigint, values: readonly Required<Asked>[], withTax: boolean): Note {
    const items = values.map((one) => ({ ...one, heads: this.heads(place, one.line, one.taxable, withTax) }));
    return this.add(place, withTax, items, amount - worthOf(items));
  }

  /** The most that a note over an amount may give back. */
  reach(place: number, withTax: boolean): bigint {
    const worth = sum(
      this.invoice(place).lines.map((_, line) => {
        const { taxable } = this.left(place, line);
        return taxable + sum([...this.heads(place, line, taxable, withTax)]);
      }),
    );
    const roundOff = this.roundOff(place, this.valueLeft(place), withTax);
    return least(worth + roundOff, this.uncredited(place));
  }

  valueLeft(place: number): bigint {
    return sum(this.invoice(place).lines.map((_, line) => this.left(place, line).taxable));
  }

  uncredited(place: number): bigint {
    return this.invoice(place).total - sum(this.live(place).map(({ total }) => total));
  }

  private add(place: number, withTax: boolean, items: Credited[], share: bigint): Note {
    const worth = worthOf(items);
    const roundOff = most(share, -worth);
    const total = worth + roundOff;
    const applied = [0n, 0n];
    applied[place] = least(this.due(place), total);
    const note = { withTax, isVoided: false, items, roundOff, total, applied, paidOut: 0n };
    this.notes[place]?.push(note);
    return note;
  }

  /** Voids a note, or says that it is in use. */
  void(place: number, note: Note): "done" | "refused" {
    if (note.isVoided || note.paidOut > 0n || (note.applied[1 - place] ?? 0n) > 0n) return "refused";
    note.isVoided = true;
    note.applied = [0n, 0n];
    this.settle(place);
    return "done";
  }

  /** Takes what is due from the invoice's own notes, the oldest first. */
  settle(place: number): void {
    for (const note of this.live(place)) {
      const amount = least(this.unapplied(note), this.due(place));
      note.applied[place] = (note.applied[place] ?? 0n) + amount;
    }
  }

  /** Voids an invoice without notes; what was applied to it goes back to its notes. */
  voidInvoice(place: number): "done" | "refused" {
    const invoice = this.invoice(place);
    if (invoice.isVoided || this.live(place).length > 0) return "refused";
    invoice.isVoided = true;
    invoice.paid = 0n;
    for (const note of this.notes.flat()) note.applied[place] = 0n;
    this.settle(1 - place);
    return "done";
  }

  private of(place: number, line: number): (Credited & { withTax: boolean })[] {
    return this.live(place).flatMap(({ items, withTax }) =>
      items.filter((item) => item.line === line).map((item) => ({ ...item, withTax })),
    );
  }

  private heads(place: number, line: number, value: bigint, withTax: boolean): Heads {
    const of = this.invoice(place).lines[line];
    if (of === undefined || !withTax || of.taxable === 0n || value === 0n) return [0n, 0n, 0n];
    const taken = this.of(place, line);
    const before = sum(taken.map(({ taxable }) => taxable));
    const isWhole = before + value === of.taxable && taken.every((note) => note.withTax);
    const head = (index: 0 | 1 | 2) => {
      const whole = of.heads[index];
      const left = whole - sum(taken.map(({ heads }) => heads[index]));
      if (isWhole) return left;
      const part = share(whole, before + value, of.taxable) - share(whole, before, of.taxable);
      return most(0n, least(left, part));
    };
    return [head(0), head(1), head(2)];
  }

  private roundOff(place: number, value: bigint, withTax: boolean): bigint {
    const { lines, roundOff } = this.invoice(place);
    const whole = sum(lines.map(({ taxable }) => taxable));
    const live = this.live(place);
    const before = sum(live.flatMap(({ items }) => items.map(({ taxable }) => taxable)));
    if (before + value === whole) return roundOff - sum(live.map((note) => note.roundOff));
    return withTax ? share(roundOff, before + value, whole) - share(roundOff, before, whole) : 0n;
  }
}

// What an accountant writes down of each document of a company, and the statements that follow. All in minor units.
const TYPES: Record<string, readonly string[]> = {
  asset: ["Cash", "Bank", "Razorpay Clearing", "Sundry Debtors"],
  input: ["Input CGST", "Input SGST", "Input IGST", "Input GST"],
  liability: ["Output CGST", "Output SGST", "Output IGST", "Output GST", "Unearned Lesson Income"],
  equity: ["Capital", "Opening Balance Equity"],
  income: ["Sales", "Lesson Income"],
  expense: ["Round Off", "Payment Gateway Charges", "Rent"],
};
const DEBTORS = "Sundry Debtors";
const BEGINNING = "0000";
const BUCKETS = ["d1_30", "d31_60", "d61_90", "over_90"];
const DAY_MS = 86_400_000;

export type Amounts = Record<string, number>;
/** A document or a movement of money. */
export type Paper = {
  id?: string;
  day: string;
  /** What it adds to accounts: less than nothing on the credit side. */
  adds: Amounts;
  customer?: string;
  /** The invoice that a receipt or a credit note is of, or the credit note that gave money back. */
  of?: Paper;
  kind?: "invoice" | "credit note";
  dueDay?: string;
  /** From when on it does not count. */
  undone?: string;
};

export const addDays = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
const total = (amounts: Amounts) => Object.values(amounts).reduce((all, amount) => all + amount, 0);
export const negated = (amounts: Amounts) =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, -amount]));

/** Adds up amounts by name, and leaves out what comes to nothing. */
export function addUp(amounts: readonly (readonly [string, number])[]): Amounts {
  const sums: Amounts = {};
  for (const [name, amount] of amounts) sums[name] = (sums[name] ?? 0) + amount;
  return Object.fromEntries(Object.entries(sums).filter(([, amount]) => amount !== 0));
}

/** The books of a company whose financial years begin in a month, such as `04`. */
export class Books {
  readonly papers: Paper[] = [];
  readonly #firstMonth: string;

  constructor(firstMonth: string) {
    this.#firstMonth = firstMonth;
  }

  enter(paper: Paper): Paper {
    if (total(paper.adds) !== 0) throw new Error(`It does not balance: ${JSON.stringify(paper.adds)}`);
    const { of, customer = of?.customer } = paper;
    const entered = { ...paper, ...(customer && { customer }) };
    this.papers.push(entered);
    return entered;
  }

  /** Takes a paper back on a day, or on its own where that is later; an invoice with its receipts. */
  undo(paper: Paper, day: string): void {
    for (const one of [paper, ...this.standing(paper)]) one.undone = day > one.day ? day : one.day;
  }

  /** What stands of an invoice or a credit note: receipts and credit notes, or money given back. */
  standing(paper: Paper): Paper[] {
    return this.papers.filter(({ of, undone }) => of === paper && undone === undefined);
  }

  invoices(isWanted: (invoice: Paper) => boolean): Paper[] {
    return this.papers.filter((paper) => paper.kind === "invoice" && !paper.undone && isWanted(paper));
  }

  noteOf(invoice: Paper): Paper | undefined {
    return this.standing(invoice).find(({ kind }) => kind === "credit note");
  }

  /** What is left of an invoice or a credit note after its own money. */
  #open(paper: Paper): number {
    const money = this.standing(paper).filter(({ kind }) => kind === undefined);
    return Math.abs([paper, ...money].reduce((sum, { adds }) => sum + (adds[DEBTORS] ?? 0), 0));
  }

  /** What is due of an invoice, which uses its credit note first, and what that has left. */
  due(invoice: Paper): { due: number; left: number } {
    const note = this.noteOf(invoice);
    const [open, credit] = [this.#open(invoice), note === undefined ? 0 : this.#open(note)];
    return { due: Math.max(0, open - credit), left: Math.max(0, credit - open) };
  }

  /** What papers, of a customer or all, added to accounts in a range of days. */
  #added(from: string, to: string, customer?: string) {
    const own = this.papers.filter((paper) => customer === undefined || paper.customer === customer);
    return own.flatMap(({ day, undone = "9999", adds }) =>
      Object.entries(adds).flatMap(([account, amount]) => [
        ...(day >= from && day <= to ? [[account, amount] as const] : []),
        ...(undone >= from && undone <= to ? [[account, -amount] as const] : []),
      ]),
    );
  }

  #balances(from: string, to: string, ...types: string[]): Amounts {
    const accounts = types.flatMap((type) => TYPES[type] ?? []);
    return addUp(this.#added(from, to).filter(([account]) => accounts.includes(account)));
  }

  profitAndLoss(from: string, to: string) {
    const income = negated(this.#balances(from, to, "income"));
    const expenses = this.#balances(from, to, "expense");
    const [total_income, total_expenses] = [total(income), total(expenses)];
    return { income, expenses, total_income, total_expenses, net_profit: total_income - total_expenses };
  }

  balanceSheet(asOf: string) {
    const year = Number(asOf.slice(0, 4)) - Number(asOf.slice(5, 7) < this.#firstMonth);
    const profit = (from: string) => this.profitAndLoss(from, asOf).net_profit;
    const assets = this.#balances(BEGINNING, asOf, "asset", "input");
    const liabilities = negated(this.#balances(BEGINNING, asOf, "liability"));
    const equity = negated(this.#balances(BEGINNING, asOf, "equity"));
    const current_earnings = profit(`${year}-${this.#firstMonth}-01`);
    return {
      ...{ assets, liabilities, equity, current_earnings, total_assets: total(assets) },
      retained_earnings: profit(BEGINNING) - current_earnings,
      total_liabilities_and_equity: total(liabilities) + total(equity) + profit(BEGINNING),
    };
  }

  trialBalance(from: string, asOf: string) {
    const added = this.#added(from, asOf);
    return {
      opening_balance: addUp(this.#added(BEGINNING, addDays(from, -1))),
      debit: addUp(added.filter(([, amount]) => amount > 0)),
      credit: negated(addUp(added.filter(([, amount]) => amount < 0))),
      balance: addUp(this.#added(BEGINNING, asOf)),
    };
  }

  /** What a customer owed before and after some days. */
  owed(customer: string, from: string, to: string): [number, number] {
    const until = (day: string) => addUp(this.#added(BEGINNING, day, customer))[DEBTORS] ?? 0;
    return [until(addDays(from, -1)), until(to)];
  }

  /** What a customer owes today, by the days since it was due; unused credit lessens it. */
  ageing(customer: string, today: string): Amounts {
    const bucketOf = (dueDay: string) => {
      const late = (Date.parse(today) - Date.parse(dueDay)) / DAY_MS;
      return late <= 0 ? "current" : String(BUCKETS[Math.min(3, Math.ceil(late / 30) - 1)]);
    };
    const own = this.invoices((invoice) => invoice.customer === customer);
    return addUp(
      own.flatMap((invoice) => {
        const { due, left } = this.due(invoice);
        return [[bucketOf(invoice.dueDay ?? today), due] as const, ["unapplied", -left] as const];
      }),
    );
  }
}

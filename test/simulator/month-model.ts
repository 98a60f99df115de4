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
const BUCKETS = ["current", "d1_30", "d31_60"];
const DAY_MS = 86_400_000;

export type Amounts = Record<string, number>;
/** A document or a movement of money. */
export type Paper = {
  id?: string;
  day: string;
  /** What it adds to accounts: less than nothing on the credit side. */
  adds: Amounts;
  customer?: string | undefined;
  /** The invoice that a receipt or a credit note is of, or the credit note that gave money back. */
  of?: Paper;
  kind?: "invoice" | "credit note";
  dueDay?: string;
  /** From when on it does not count. */
  undone?: string;
};

export const addDays = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
export const daysFrom = (day: string, to: string) => (Date.parse(to) - Date.parse(day)) / DAY_MS;
const total = (amounts: Amounts) => Object.values(amounts).reduce((all, amount) => all + amount, 0);
export const negated = (amounts: Amounts) =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, -amount]));

/** Adds up amounts by name, and leaves out what comes to nothing. */
export function addUp(amounts: readonly (readonly [string, number])[]): Amounts {
  const sums: Amounts = {};
  for (const [name, amount] of amounts) sums[name] = (sums[name] ?? 0) + amount;
  return Object.fromEntries(Object.entries(sums).filter(([, amount]) => amount !== 0));
}

export class Books {
  readonly papers: Paper[] = [];

  enter(paper: Paper): Paper {
    if (total(paper.adds) !== 0) throw new Error(`It does not balance: ${JSON.stringify(paper.adds)}`);
    paper.customer ??= paper.of?.customer;
    this.papers.push(paper);
    return paper;
  }

  /** Takes a paper back on a day, or on its own where that is later; an invoice with its receipts. */
  undo(paper: Paper, day: string): void {
    for (const one of [paper, ...this.standing(paper)]) one.undone = day > one.day ? day : one.day;
  }

  /** What stands of an invoice or a credit note: receipts and credit notes, or money given back. */
  standing(paper: Paper): Paper[] {
    return this.papers.filter(({ of, undone }) => of === paper && undone === undefined);
  }

  noteOf(invoice: Paper): Paper | undefined {
    return this.standing(invoice).find(({ kind }) => kind === "credit note");
  }

  /** Whether a paper is in use: an invoice by its credit note, that by money given back. */
  isHeld(paper: Paper): boolean {
    return this.standing(paper).some(({ kind }) => [kind, paper.kind].includes("credit note"));
  }

  invoices(isWanted: (invoice: Paper) => boolean): Paper[] {
    return this.papers.filter((paper) => paper.kind === "invoice" && !paper.undone && isWanted(paper));
  }

  /** What is due of an invoice; less than nothing where its credit note has more, and was not given back. */
  due(invoice: Paper): number {
    const own = this.standing(invoice).flatMap((paper) => [paper, ...this.standing(paper)]);
    return [invoice, ...own].reduce((sum, { adds }) => sum + (adds[DEBTORS] ?? 0), 0);
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

  /** `firstMonth` is that of the financial year, such as `04`. */
  balanceSheet(asOf: string, firstMonth: string) {
    const year = Number(asOf.slice(0, 4)) - Number(asOf.slice(5, 7) < firstMonth);
    const profit = (from: string) => this.profitAndLoss(from, asOf).net_profit;
    const assets = this.#balances(BEGINNING, asOf, "asset", "input");
    const liabilities = negated(this.#balances(BEGINNING, asOf, "liability"));
    const equity = negated(this.#balances(BEGINNING, asOf, "equity"));
    const current_earnings = profit(`${year}-${firstMonth}-01`);
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
    const own = this.invoices((invoice) => invoice.customer === customer);
    return addUp(
      own.map((invoice) => {
        const late = Math.max(0, daysFrom(invoice.dueDay ?? today, today));
        const due = this.due(invoice);
        return [due < 0 ? "unapplied" : String(BUCKETS[Math.ceil(late / 30)]), due] as const;
      }),
    );
  }
}

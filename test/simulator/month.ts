import { untilEarned } from "../features/bookings/money/books.ts";
import { type InvoiceRecord, newCustomer, REGISTERED, setClock } from "../features/commerce.ts";
import { newProduct } from "../features/money.ts";
import { newCourse, openSchool, SYDNEY, setRules } from "../features/school.ts";
import { connectGateway } from "../support/gateways.ts";
import type { Answer } from "../support/http.ts";
import type { Draw } from "./draw.ts";
import { type Amounts, addDays, Books, daysFrom, type Paper } from "./month-model.ts";
import { inside, type ModelAmounts, sumsOf } from "./paper-model.ts";
import { type Asked, World } from "./world.ts";

const LEDGER = "/ledger/:company";
export const INDIA = {
  ...{ fields: REGISTERED, profile: { gst_status: "registered" }, firstMonth: "04", noon: "T06:30:00Z" },
  ...{ rate: 18_000, taxed: "halves" as const, single: "Output IGST" },
  input: { cgst: "Input CGST", sgst: "Input SGST" },
};
export const AUSTRALIA = {
  ...{ fields: SYDNEY, profile: { tax_registered: true, tax_label: "GST" }, firstMonth: "07" },
  ...{ noon: "T02:00:00Z", rate: 10_000, taxed: "one head" as const, single: "Output GST" },
  input: { tax: "Input GST" },
};
export type Country = typeof INDIA | typeof AUSTRALIA;
type Given = Awaited<ReturnType<typeof openOn>>;

/** Opens a company on a day, with balances of before; `price` is that of a lesson or a piece, with tax. */
export async function openOn(country: Country, first: string, price: number) {
  const { company, instructorId } = await openSchool(country.fields, { windows: ["00:00-23:59"] });
  await company.raiseLimit();
  await setClock(company, first + country.noon);
  await company.change("/settings/:company/profile", country.profile);
  await setRules(company, { buffer_minutes: 0, min_notice_minutes: 0, advance_days: 366 });
  await connectGateway(company, "razorpay");
  const sold = { selling_price: price / 100, tax_rate: country.rate / 1_000, price_includes_tax: true };
  const courseId = await newCourse(company, sold);
  const { id: goodId } = await newProduct(company, sold);
  const { id: near } = await newCustomer(company);
  const { id: far } = await newCustomer(company, { state: "Kerala", pincode: "682001" });
  await company.make("/settings/:company/accounts", { code: "5500", name: "Rent", type: "expense" });
  const accounts = await company.read<Record<"id" | "name", string>[]>(`${LEDGER}/accounts?limit=100`);
  const idOf = new Map(accounts.map(({ id, name }) => [name, id]));
  const bank = { account_id: idOf.get("Bank"), debit: 90_000.25 };
  await company.make(`${LEDGER}/opening-balances`, { as_of: addDays(first, -1), lines: [bank] });
  return { ...{ company, country, first, price, instructorId, courseId, goodId, near, far, idOf } };
}

/** A company in the days of a month and the first ones of the next, and the books that an accountant keeps of it. */
export class Month extends World {
  readonly given: Given;
  readonly books = new Books();
  /** What staff may take back, by a call that may say the day. */
  readonly mistakes: { paper: Paper; path: string }[] = [];
  /** What the gateway took; `payout` brought it to the bank. */
  readonly atGateway: { id: string; amount: number; payout?: Paper }[] = [];
  readonly lessons: { id: string; sale: Paper; start: string; isEarned: boolean }[] = [];
  today: string;
  lockedThrough = "2000-01-01";
  /** Whether staff ask for the day of what they take back. */
  readonly asksForItsDay: boolean;

  constructor(given: Given, seed: number, asksForItsDay: boolean) {
    super(given.company, seed);
    this.given = given;
    this.asksForItsDay = asksForItsDay;
    this.today = given.first;
    const adds = { Bank: 90_000_25, "Opening Balance Equity": -90_000_25 };
    this.books.enter({ day: addDays(given.first, -1), adds });
  }

  async begin(day: string): Promise<void> {
    this.today = day;
    await setClock(this.company, day + this.given.country.noon);
  }

  /** A day up to today that is not locked, nor before another one. */
  day(draw: Draw, since = this.given.first): string {
    const least = [since, addDays(this.lockedThrough, 1)].sort().at(-1) as string;
    return addDays(this.today, -draw.below(daysFrom(least, this.today) + 1));
  }

  /** Input tax of so much in each head: what a body has of it, what it adds, and all of it. */
  input(each: number, prefix = "") {
    const heads = Object.entries(this.given.country.input);
    const body = heads.map(([name]) => [`${prefix}${name}_amount`, each / 100]);
    const adds: Amounts = Object.fromEntries(heads.map(([, account]) => [account, each]));
    return { body: Object.fromEntries(body), adds, tax: each * heads.length };
  }

  /** What an invoice adds: its customer owes all of it, the income is without tax. */
  sold(lines: readonly ModelAmounts[], total: number, income: string): Amounts {
    const { taxable_total: net, exact_total: exact, cgst_total, sgst_total, igst_total } = sumsOf(lines);
    const heads = { "Output CGST": -cgst_total, "Output SGST": -sgst_total };
    const tax = { ...heads, [this.given.country.single]: -igst_total };
    return { "Sundry Debtors": total, [income]: -net, ...tax, "Round Off": exact - total };
  }

  /** Asks for what makes a paper, and keeps how staff take it back: by a path with a member of the answer. */
  making(path: string, body: object, paper: Paper, undoing: string): Asked {
    const told = ({ body: { data } }: Answer) => {
      this.books.enter(Object.assign(paper, { id: String(data.id) }));
      this.mistakes.push({ paper, path: undoing.replace(/{(\w+)}/, (_, name) => String(data[name])) });
    };
    return { path, body, told };
  }

  /** Enters the newest invoice, of pieces at the price, and its payment into an account. */
  async enterPaid(pieces: number, income: string, account: string): Promise<Paper> {
    const { company, books, today: day } = this;
    const { price, country } = this.given;
    const total = pieces * price;
    const line = inside(BigInt(total), country.rate, country.taxed);
    const [issued] = await company.read<InvoiceRecord[]>("/invoices/:company?limit=1");
    const customer = String(issued?.customer_id);
    const sale = books.enter({ kind: "invoice", day, customer, adds: this.sold([line], total, income) });
    books.enter({ day, of: sale, adds: { [account]: total, "Sundry Debtors": -total } });
    return sale;
  }

  /** Enters what the lessons earned that are over for a day, and waits until the service has. */
  async earn(): Promise<void> {
    const over = this.lessons.filter(({ start, sale }) => start.slice(0, 10) < this.today && !sale.undone);
    for (const lesson of over.filter(({ isEarned }) => !isEarned)) {
      const amount = -(lesson.sale.adds["Unearned Lesson Income"] ?? 0);
      const adds = { "Unearned Lesson Income": amount, "Lesson Income": -amount };
      this.books.enter({ day: lesson.start.slice(0, 10), adds });
      lesson.isEarned = true;
    }
    await untilEarned(this.company, over.length);
  }
}

import type { ReadCtx } from "#core/context.ts";
import type { UnpostedReason } from "#shared/payments/posting-warnings.ts";
import { financialYearOf } from "#shared/time/financial-year.ts";
import { yearToOpen } from "../entries/post.ts";
import { atRates, type ConvertedLine, type Held } from "../exchange/at-rates.ts";
import type { Missing, MissingLine } from "./find-missing.ts";

const MOST = 200;

/** An entry to post; `period` and `year` are of its financial year. */
type Posting = Omit<Missing, "lines"> & {
  period: string;
  year: ReturnType<typeof yearToOpen>;
  lines: readonly (ConvertedLine | MissingLine)[];
};

/** What is to be posted, and which documents cannot be for another reason than the known one. */
export class Plan {
  readonly postings: Posting[] = [];
  readonly reasons: { id: number; reason: UnpostedReason }[] = [];
  readonly #held = new Map<string, Held>();
  readonly #rates = new Map<string, Pick<MissingLine, "rate" | "rate_id">>();
  readonly #invoices = new Set<number>();

  /** Adds documents in their order. Gives whether there is room for more. */
  add(ctx: ReadCtx, found: readonly Missing[]): boolean {
    for (const document of found) {
      if (this.postings.length === MOST) return false;
      const { id, entry_date: date } = document;
      const reason = document.reason ?? this.#reasonOf(document);
      const lines = reason === null ? this.#linesOf(document) : null;
      if (lines !== null) {
        if (document.source_type === "invoice") this.#invoices.add(document.source_id);
        const period = financialYearOf(date, ctx.company.country).short;
        this.postings.push({ ...document, period, year: yearToOpen(ctx, date), lines });
      } else if (reason !== document.known_reason)
        this.reasons.push({ id, reason: reason ?? "account_inactive" });
    }
    return true;
  }

  #reasonOf({ needs_invoice, invoice_id, lines }: Missing): UnpostedReason | null {
    if (needs_invoice === 1 && !this.#invoices.has(Number(invoice_id))) return "invoice_unposted";
    if (lines.some(({ is_active }) => is_active === null)) return "account_missing";
    return lines.some(({ is_active }) => is_active === 0) ? "account_inactive" : null;
  }

  #linesOf({ is_foreign, lines, difference }: Missing): Posting["lines"] | null {
    if (is_foreign === 0) return lines;
    // The first document of an invoice or a capture fixes its rate.
    for (const { rate_of, rate, rate_id } of lines)
      if (!this.#rates.has(rate_of)) this.#rates.set(rate_of, { rate, rate_id });
    const own = lines.map((line) => ({ ...line, id: Number(line.id), ...this.#rates.get(line.rate_of) }));
    return atRates(own, difference, this.#held);
  }
}

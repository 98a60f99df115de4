import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { openShop } from "./company.ts";

const { company, meera, note } = await openShop();
const POLICY = /^default-src 'none'; style-src 'unsafe-inline'; img-src data:;/;
const PAGES: Record<string, string> = {
  "profit-and-loss?": "Profit and loss|1 Apr 2026 to 30 Nov 2026|Sales|Net profit",
  "profit-and-loss?from=2026-10-20&to=2026-10-20&": "Profit and loss|Amounts in INR|Net loss",
  "balance-sheet?": "Balance sheet|As of 30 Nov 2026|Sundry Debtors|436.00|Retained earnings|Total",
  "trial-balance?from=2026-10-01&": "Trial balance|Opening balance|Sundry Debtors / Meera Traders|1,416.00",
  "day-book?from=2026-10-20&to=2026-10-20&": "Day book|20 Oct 2026|Output CGST|99.99",
  "ageing?": "Ageing of debtors|Over 90 days late|Ravi &amp; &lt;b&gt;Sons&lt;/b&gt;|-354.00|Total",
  [`customers/${meera}/statement?from=2026-10-01&`]: `Statement of account|Meera Traders|Opening balance|254.00|${note.credit_note_number}|Invoice, taken back|Not due yet|Closing balance|790.00`,
};

test.each(Object.entries(PAGES))(
  "%s is a page to print, in the company's look, that loads nothing",
  async (path, has) => {
    const { text, headers } = must(await company.call("GET", `/ledger/:company/${path}format=html`), 200);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(headers.get("content-security-policy")).toMatch(POLICY);
    for (const words of `${has}|Asha Traders|12 MG Road, Bengaluru|GSTIN 29AABCR1718E1ZL`.split("|"))
      expect(text.toLowerCase()).toContain(words.toLowerCase());
    expect(text).not.toMatch(/<script|<a |sk_|ck_|<b>/);
  },
);

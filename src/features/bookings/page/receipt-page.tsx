import type { Child } from "hono/jsx";
import { type NamedValue, NamedValues } from "#api/page-parts/named-values.tsx";
import type { Invoice } from "#features/invoices";
import { stateTaxOf } from "#shared/gst/state-tax.ts";
import { formatDate, formatMoney } from "#shared/text/formats.ts";
import type { Receipt } from "../receipts/find-paper.ts";
import { type Frame, renderLayout } from "./layout.tsx";
import { MoneyBack } from "./money-back.tsx";
import { WORDS } from "./words/words.ts";

const THOUSANDTHS = 1_000;

type Seller = Partial<Invoice["seller"]> & Pick<Invoice["seller"], "legal_name" | "country">;
type Buyer = Pick<Invoice["customer"], "name" | "gstin" | "billing_address">;
type Words = (typeof WORDS)["en"];

type Shown = Frame & { receipt: Receipt };
type Paper = {
  path: string;
  title: string;
  /** Its number, its date, and what it is of. */
  particulars: NamedValue[];
  parties: [seller: string, buyer: string];
  /** What the whole sum is called. */
  sum: string;
  state?: Child;
};

/** The receipt of a booking's money; with tax it has what a receipt voucher needs (CGST Rules, 50). */
export function renderReceiptPage(shown: Shown) {
  const { visit, sent, receipt } = shown;
  const words = WORDS[sent.language];
  // A gateway may have given back money of a receipt that still stands.
  const showsMoneyBack = receipt.endedBy !== null || visit.given_back.some(({ of_price }) => of_price === 1);
  return renderPaper(shown, {
    ...{ path: "/receipt", title: titleOf(receipt, words) },
    particulars: [
      [words.receiptNumber, receipt.receiptNumber],
      [words.receiptDate, formatDate(receipt.receiptDate, words.locale)],
    ],
    parties: [words.receivedBy, words.receivedFrom],
    sum: words.received,
    state: (
      <>
        {receipt.endedBy !== null && (
          <p class="state over">
            {words.replaced}{" "}
            {receipt.refundNumber !== null && (
              <a href={sent.link("/refund-voucher")}>{`${words.refundVoucher} ${receipt.refundNumber}`}</a>
            )}
          </p>
        )}
        {showsMoneyBack && <MoneyBack visit={visit} sent={sent} />}
      </>
    ),
  });
}

/** The refund voucher of a receipt that ended, with what CGST Rule 51 asks for. */
export function renderRefundVoucherPage(shown: Shown) {
  const { sent, receipt } = shown;
  const words = WORDS[sent.language];
  const date = (day: string) => formatDate(day, words.locale);
  return renderPaper(shown, {
    ...{ path: "/refund-voucher", title: words.refundVoucher },
    particulars: [
      [words.voucherNumber, receipt.refundNumber],
      [words.voucherDate, receipt.refundDate && date(receipt.refundDate)],
      [
        titleOf(receipt, words),
        <a href={sent.link("/receipt")}>{`${receipt.receiptNumber}, ${date(receipt.receiptDate)}`}</a>,
      ],
    ],
    parties: [words.supplier, words.recipient],
    sum: words.refundAmount,
  });
}

function renderPaper(
  { visit, sent, receipt }: Shown,
  { path, title, particulars, parties, sum, state }: Paper,
) {
  const words = WORDS[sent.language];
  const money = (minor: number) => formatMoney(minor, receipt.currency, words.locale);
  const seller: Seller = JSON.parse(receipt.seller);
  const buyer: Buyer = JSON.parse(receipt.customer);
  const isVoucher = isVoucherOf(receipt);
  const facts: NamedValue[] = [
    ...particulars,
    [words.number, visit.number],
    [parties[0], <SellerLines seller={seller} words={words} />],
    [parties[1], <BuyerLines buyer={buyer} words={words} />],
    [words.lesson, receipt.itemName],
    [words.taxCode, isVoucher && receipt.hsnSacCode],
    [
      words.placeOfSupply,
      isVoucher && receipt.placeOfSupplyCode && stateOf(receipt.placeOfSupplyCode, words),
    ],
    [words.beforeTax, receipt.isVoucher === 1 && money(receipt.taxableAmount)],
    ...taxesOf(receipt, seller, words).map(
      ({ name, share, amount }): NamedValue => [
        words.tax(name, String((receipt.taxRate * share) / THOUSANDTHS)),
        money(amount),
      ],
    ),
    [sum, <b>{money(receipt.amount)}</b>],
  ];
  return renderLayout({
    ...{ title, visit, sent, path },
    children: (
      <>
        <h1>{title}</h1>
        {state}
        <NamedValues rows={facts} />
        {isVoucher && <p class="quiet">{words.noReverseCharge}</p>}
        {isVoucher && <p class="signature">{words.signatory(seller.legal_name)}</p>}
        <p>
          <a href={sent.link("")}>{words.backToBooking}</a>
        </p>
      </>
    ),
  });
}

/** Whether a receipt is a voucher of Indian law. */
function isVoucherOf({ isVoucher, seller }: Receipt): boolean {
  return isVoucher === 1 && (JSON.parse(seller) as Seller).country === "IN";
}

function titleOf(receipt: Receipt, words: Words): string {
  return isVoucherOf(receipt) ? words.receiptVoucher : words.receipt;
}

function SellerLines({ seller, words }: { seller: Seller; words: Words }) {
  const { legal_name: name, address, state_code: code, gstin, tax_number: number } = seller;
  return (
    <>
      <bdi>{name}</bdi>
      {address && <small dir="auto">{address}</small>}
      {code && <small>{stateOf(code, words)}</small>}
      {gstin && <small>GSTIN {gstin}</small>}
      {number && (
        <small>
          {seller.tax_number_label ?? words.taxNumber} {number}
        </small>
      )}
    </>
  );
}

function BuyerLines({
  buyer: { name, gstin, billing_address: home },
  words,
}: {
  buyer: Buyer;
  words: Words;
}) {
  const { address, city, pincode, state, state_code: code } = home;
  const town = [city, pincode].filter(Boolean).join(" ");
  return (
    <>
      <bdi>{name}</bdi>
      {address && <small dir="auto">{address}</small>}
      {town && <small dir="auto">{town}</small>}
      {(code || state) && <small>{code ? stateOf(code, words) : state}</small>}
      {gstin && <small>GSTIN {gstin}</small>}
    </>
  );
}

/** A state as papers name it: `Karnataka (29)`. */
function stateOf(code: string, words: Words): string {
  return `${words.state(code)} (${code})`;
}

/** The taxes that the receipt bears, each with its share of the whole rate. */
function taxesOf(
  { cgstAmount, sgstAmount, igstAmount, placeOfSupplyCode }: Receipt,
  seller: Seller,
  words: Words,
) {
  const single = seller.country === "IN" ? "IGST" : (seller.tax_label ?? words.anyTax);
  return [
    { name: "CGST", share: 0.5, amount: cgstAmount },
    { name: stateTaxOf(placeOfSupplyCode), share: 0.5, amount: sgstAmount },
    { name: single, share: 1, amount: igstAmount },
  ].filter(({ amount }) => amount > 0);
}

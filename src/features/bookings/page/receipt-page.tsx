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

/** The receipt of a booking's money; with tax it has what a receipt voucher needs (CGST Rules, 50), and the refund (51). */
export function renderReceiptPage({ visit, sent, receipt }: Frame & { receipt: Receipt }) {
  const words = WORDS[sent.language];
  const { currency, refundNumber, refundDate } = receipt;
  const money = (minor: number) => formatMoney(minor, currency, words.locale);
  const date = (day: string) => formatDate(day, words.locale);
  const seller: Seller = JSON.parse(receipt.seller);
  const buyer: Buyer = JSON.parse(receipt.customer);
  const isTaxed = receipt.isVoucher === 1;
  const isVoucher = isTaxed && seller.country === "IN";
  const title = isVoucher ? words.receiptVoucher : words.receipt;
  // A gateway gives the money back on another day than that of the voucher.
  const isByHand = visit.payment_status === "refunded" && visit.given_back.length === 0;
  // A gateway may have given back money of a receipt that still stands.
  const showsMoneyBack =
    receipt.endedBy === null ? visit.given_back.some(({ of_price }) => of_price === 1) : !isByHand;
  const refunded = isByHand ? words.paidBackOn : words.issuedOn;
  const facts: NamedValue[] = [
    [words.receiptNumber, receipt.receiptNumber],
    [words.receiptDate, date(receipt.receiptDate)],
    [words.number, visit.number],
    [words.receivedBy, <SellerLines seller={seller} words={words} />],
    [words.receivedFrom, <BuyerLines buyer={buyer} words={words} />],
    [words.lesson, receipt.itemName],
    [words.taxCode, isVoucher && receipt.hsnSacCode],
    [
      words.placeOfSupply,
      isVoucher && receipt.placeOfSupplyCode && stateOf(receipt.placeOfSupplyCode, words),
    ],
    [words.beforeTax, isTaxed && money(receipt.taxableAmount)],
    ...taxesOf(receipt, seller, words).map(
      ({ name, share, amount }): NamedValue => [
        words.tax(name, String((receipt.taxRate * share) / THOUSANDTHS)),
        money(amount),
      ],
    ),
    [words.received, <b>{money(receipt.amount)}</b>],
  ];
  return renderLayout({
    ...{ title, visit, sent, path: "/receipt" },
    children: (
      <>
        <h1>{title}</h1>
        {refundNumber !== null && refundDate !== null ? (
          <p class="state over">
            <b>{words.refundVoucher}</b> {refunded(refundNumber, date(refundDate))}
          </p>
        ) : (
          receipt.endedBy !== null && <p class="state over">{words.replaced}</p>
        )}
        {showsMoneyBack && <MoneyBack visit={visit} sent={sent} />}
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

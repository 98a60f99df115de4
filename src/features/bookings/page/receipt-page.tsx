import type { Child } from "hono/jsx";
import type { Receipt } from "../receipts/find-paper.ts";
import { formatDate, formatMoney } from "./formats.ts";
import { type Frame, renderLayout } from "./layout.tsx";
import { WORDS } from "./words/words.ts";

const THOUSANDTHS = 1_000;

type Party = { name: string; gstin: string | null; address: string | null };

/** The receipt of a booking's money; with tax it has what a receipt voucher needs (CGST Rules, 50), and the refund (51). */
export function renderReceiptPage({ visit, sent, receipt }: Frame & { receipt: Receipt }) {
  const words = WORDS[sent.language];
  const { currency, refundNumber, refundDate } = receipt;
  const money = (minor: number) => formatMoney(minor, currency, words.locale);
  const date = (day: string) => formatDate(day, words.locale);
  const title = receipt.isVoucher === 1 ? words.receiptVoucher : words.receipt;
  const { seller, buyer } = partiesOf(receipt);
  const place = [receipt.placeOfSupplyCode, receipt.placeOfSupplyName].filter(Boolean).join(" ");
  const facts: [name: string, value: Child][] = [
    [words.receiptNumber, receipt.receiptNumber],
    [words.receiptDate, date(receipt.receiptDate)],
    [words.number, visit.number],
    [words.receivedBy, <Named {...seller} />],
    [words.receivedFrom, <Named {...buyer} />],
    [words.lesson, receipt.itemName],
    [words.taxCode, receipt.isVoucher === 1 && receipt.hsnSacCode],
    [words.placeOfSupply, receipt.isVoucher === 1 && place],
    [words.beforeTax, receipt.isVoucher === 1 && money(receipt.taxableAmount)],
    ...taxesOf(receipt).map(({ name, share, amount }): [string, Child] => [
      words.tax(name, String((receipt.taxRate * share) / THOUSANDTHS)),
      money(amount),
    ]),
    [words.received, <b>{money(receipt.amount)}</b>],
  ];
  return renderLayout({
    ...{ title, visit, sent },
    children: (
      <>
        <h1>{title}</h1>
        {refundNumber !== null && refundDate !== null ? (
          <p class="state over">
            <b>{words.refundVoucher}</b> {words.paidBackOn(refundNumber, date(refundDate))}
          </p>
        ) : (
          receipt.endedBy !== null && <p class="state over">{words.replaced}</p>
        )}
        <dl>
          {facts.map(
            ([name, value]) =>
              value && (
                <div>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ),
          )}
        </dl>
        {receipt.isVoucher === 1 && currency === "INR" && <p class="quiet">{words.noReverseCharge}</p>}
        <p>
          <a href={sent.link("")}>{words.backToBooking}</a>
        </p>
      </>
    ),
  });
}

function Named({ name, gstin, address }: Party) {
  return (
    <>
      {name}
      {address && <small>{address}</small>}
      {gstin && <small>GSTIN {gstin}</small>}
    </>
  );
}

function partiesOf({ customer, seller }: Receipt): { seller: Party; buyer: Party } {
  const { legal_name: name, gstin, address } = JSON.parse(seller);
  const { billing_address: billing, ...buyer } = JSON.parse(customer);
  return {
    seller: { name, gstin, address },
    buyer: { name: buyer.name, gstin: buyer.gstin, address: billing.address },
  };
}

/** The taxes that the receipt bears, each with its share of the whole rate. */
function taxesOf({ cgstAmount, sgstAmount, igstAmount, currency }: Receipt) {
  const single = currency === "INR" ? "IGST" : "GST";
  return [
    { name: "CGST", share: 0.5, amount: cgstAmount },
    { name: "SGST", share: 0.5, amount: sgstAmount },
    { name: single, share: 1, amount: igstAmount },
  ].filter(({ amount }) => amount > 0);
}

import type { Invoice } from "../invoices/record.ts";
import type { SellerContact } from "./find-by-token.ts";
import { formatMoney } from "./formats.ts";
import { QrCode } from "./qr-code.tsx";
import { upiAddress } from "./upi.ts";
import type { Words } from "./words/words.ts";

type Due = { invoice: Invoice; contact: SellerContact; words: Words };

/** How to pay what is due. */
export function Payment({ invoice, contact, words }: Due) {
  if (invoice.amount_due <= 0) return null;
  return (
    <>
      <Upi invoice={invoice} contact={contact} words={words} />
      <BankTransfer contact={contact} words={words} />
    </>
  );
}

/** UPI moves rupees only; nothing where the seller takes none. */
function Upi({ invoice, contact: { upiId }, words }: Due) {
  const { amount_due: amount, currency, invoice_number: invoiceNumber, seller } = invoice;
  if (upiId === null || currency !== "INR") return null;
  const address = upiAddress({ upiId, payee: seller.legal_name, amount, invoiceNumber });
  return (
    <div class="payment">
      <QrCode text={address} label={words.qrCode} />
      <div>
        <h2>{words.payByUpi}</h2>
        <p>{words.scan(formatMoney(amount, currency))}</p>
        <p class="quiet">{upiId}</p>
        <a href={address}>{words.payWithApp}</a>
      </div>
    </div>
  );
}

function BankTransfer({ contact, words }: Omit<Due, "invoice">) {
  if (contact.bankAccountNumber === null) return null;
  const rows: [name: string, value: string | null][] = [
    [words.bank, contact.bankName],
    [words.accountName, contact.bankAccountName],
    [words.accountNumber, contact.bankAccountNumber],
    ["IFSC", contact.bankIfsc],
    ["SWIFT", contact.bankSwift],
  ];
  return (
    <div class="transfer">
      <h2>{words.payByTransfer}</h2>
      <dl>
        {rows.map(
          ([name, value]) =>
            value && (
              <div>
                <dt>{name}</dt>
                <dd class="number">{value}</dd>
              </div>
            ),
        )}
      </dl>
    </div>
  );
}

import { type NamedValue, NamedValues } from "#api/page-parts/named-values.tsx";
import type { Language } from "#shared/text/language.ts";
import type { Invoice } from "../invoices/record.ts";
import type { SellerContact } from "./find-by-token.ts";
import { formatMoney } from "./formats.ts";
import { QrCode } from "./qr-code.tsx";
import { upiAddress } from "./upi.ts";
import type { Words } from "./words/words.ts";

type Due = {
  invoice: Invoice;
  contact: SellerContact;
  payPath: string | null;
  language: Language;
  words: Words;
};

/**
 * How to pay what is due: through a gateway, by UPI, which moves rupees only, and by bank transfer, each where the seller
 * takes it.
 */
export function Payment({ invoice, contact, payPath, language, words }: Due) {
  const { amount_due: amount, currency, invoice_number: invoiceNumber, seller } = invoice;
  if (amount <= 0) return null;
  const { upiId } = contact;
  const upi =
    upiId === null || currency !== "INR"
      ? null
      : { upiId, address: upiAddress({ upiId, payee: seller.legal_name, amount, invoiceNumber }) };
  return (
    <>
      {payPath !== null && (
        <p>
          <a class="pay" href={`${payPath}?lang=${language}`}>
            {words.payNow}
          </a>
        </p>
      )}
      <div class="payment">
        {upi && <QrCode text={upi.address} label={words.qrCode} />}
        <div>
          {upi && (
            <div>
              <h2>{words.payByUpi}</h2>
              <p>{words.scan(formatMoney(amount, currency))}</p>
              <p class="quiet">{upi.upiId}</p>
              <a href={upi.address}>{words.payWithApp}</a>
            </div>
          )}
          <BankTransfer contact={contact} words={words} />
        </div>
      </div>
    </>
  );
}

function BankTransfer({ contact, words }: Pick<Due, "contact" | "words">) {
  if (contact.bankAccountNumber === null) return null;
  const rows: NamedValue[] = [
    [words.bank, contact.bankName, "number"],
    [words.accountName, contact.bankAccountName, "number"],
    [words.accountNumber, contact.bankAccountNumber, "number"],
    ["IFSC", contact.bankIfsc, "number"],
    ["SWIFT", contact.bankSwift, "number"],
  ];
  return (
    <div class="transfer">
      <h2>{words.payByTransfer}</h2>
      <NamedValues rows={rows} />
    </div>
  );
}

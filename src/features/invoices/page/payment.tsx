import type { Invoice } from "../invoices/record.ts";
import { formatMoney } from "./formats.ts";
import { QrCode } from "./qr-code.tsx";
import { upiAddress } from "./upi.ts";

/** How to pay what is due by UPI, which moves rupees only; nothing where the seller takes none. */
export function Payment({ invoice, upiId }: { invoice: Invoice; upiId: string | null }) {
  const { amount_due: amount, currency, invoice_number: invoiceNumber, seller } = invoice;
  if (upiId === null || amount <= 0 || currency !== "INR") return null;
  const address = upiAddress({ upiId, payee: seller.legal_name, amount, invoiceNumber });
  return (
    <div class="payment">
      <QrCode text={address} label="UPI QR code" />
      <div>
        <h2>Pay by UPI</h2>
        <p>Scan with any UPI app to pay {formatMoney(amount, currency)}.</p>
        <p class="quiet">{upiId}</p>
        <a href={address}>Pay with a UPI app</a>
      </div>
    </div>
  );
}

export type UpiPayment = { upiId: string; payee: string; amount: number; invoiceNumber: string };

const LONGEST_NAME = 50;

/** The address by which a UPI app offers to pay the amount, in rupees, to the payee. */
export function upiAddress({ upiId, payee, amount, invoiceNumber }: UpiPayment): string {
  // By characters, not code units: half of a surrogate pair cannot be encoded.
  const name = [...payee].slice(0, LONGEST_NAME).join("");
  const parameters = [
    `pa=${upiId}`, // Not encoded: some apps take a UPI id with %40 for an unknown one.
    `pn=${encodeURIComponent(name)}`,
    `am=${amount.toFixed(2)}`,
    "cu=INR",
    `tn=${encodeURIComponent(invoiceNumber)}`,
  ];
  return `upi://pay?${parameters.join("&")}`;
}

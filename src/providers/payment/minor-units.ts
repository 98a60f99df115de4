// Currencies that gateways count in units other than hundredths; Stripe counts ISK and UGX in hundredths all the same
// (docs.stripe.com/currencies, "Minor units in API amounts").
const WHOLE = new Set("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "));
const THOUSANDTHS = new Set("BHD IQD JOD KWD LYD OMR TND".split(" "));

/**
 * An amount in the smallest unit of its currency, in ours, which is a hundredth of every currency; null where ours cannot
 * say it.
 */
export function hundredths(amount: number | null, currency: string | null): number | null {
  const code = currency?.toUpperCase() ?? "";
  if (amount === null) return null;
  if (WHOLE.has(code)) return amount * 100;
  if (!THOUSANDTHS.has(code)) return amount;
  return amount % 10 === 0 ? amount / 10 : null;
}

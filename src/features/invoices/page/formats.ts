const quantities = new Intl.NumberFormat("en-IN", { maximumFractionDigits: 3 });
const rates = new Intl.NumberFormat("en-IN", { style: "unit", unit: "percent", maximumFractionDigits: 4 });

/** Amounts of a currency are grouped as those who use it do: rupees by lakh and crore. */
const localeOf = (currency: string) => (currency === "INR" ? "en-IN" : "en-GB");

/** An amount by its currency's digit grouping: `1,23,456.78` of rupees. */
export function formatAmount(amount: number, currency: string): string {
  return grouped(amount, currency, 2);
}

/** An amount with the sign of its currency: `₹1,23,456.78`. */
export function formatMoney(amount: number, currency: string): string {
  return new Intl.NumberFormat(localeOf(currency), { style: "currency", currency }).format(amount);
}

/** A price per unit with its two to four decimals. */
export function formatPrice(price: number, currency: string): string {
  return grouped(price, currency, 4);
}

function grouped(amount: number, currency: string, most: number): string {
  const format = new Intl.NumberFormat(localeOf(currency), {
    minimumFractionDigits: 2,
    maximumFractionDigits: most,
  });
  return format.format(amount);
}

/** A quantity with up to three decimals. */
export const formatQuantity = (quantity: number): string => quantities.format(quantity);

/** A percentage as `2.5%`. */
export const formatRate = (percentage: number): string => rates.format(percentage);

const dates = new Intl.DateTimeFormat("en-IN", { dateStyle: "medium", timeZone: "UTC" });

/** A `YYYY-MM-DD` date as `1 Apr 2026`. */
export const formatDate = (date: string): string => dates.format(new Date(date));

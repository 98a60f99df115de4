const amounts = new Intl.NumberFormat("en-IN", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const prices = new Intl.NumberFormat("en-IN", { minimumFractionDigits: 2, maximumFractionDigits: 4 });
const quantities = new Intl.NumberFormat("en-IN", { maximumFractionDigits: 3 });
const rates = new Intl.NumberFormat("en-IN", { style: "unit", unit: "percent", maximumFractionDigits: 4 });
const dates = new Intl.DateTimeFormat("en-IN", { dateStyle: "medium", timeZone: "UTC" });

/** An amount by Indian digit grouping: `1,23,456.78`. */
export const formatAmount = (amount: number): string => amounts.format(amount);

/** An amount with the sign of its currency: `₹1,23,456.78`. */
export function formatMoney(amount: number, currency: string): string {
  return new Intl.NumberFormat("en-IN", { style: "currency", currency }).format(amount);
}

/** A price per unit with its two to four decimals. */
export const formatPrice = (price: number): string => prices.format(price);

/** A quantity with up to three decimals. */
export const formatQuantity = (quantity: number): string => quantities.format(quantity);

/** A percentage as `2.5%`. */
export const formatRate = (percentage: number): string => rates.format(percentage);

/** A `YYYY-MM-DD` date as `1 Apr 2026`. */
export const formatDate = (date: string): string => dates.format(new Date(date));

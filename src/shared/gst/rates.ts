/** The rates of GST since 22 September 2025 in thousandths of a percent, and 12 and 28 percent, which stay for what they still apply to. */
export const GST_RATES: readonly number[] = [
  0, 100, 250, 1_000, 1_500, 3_000, 5_000, 6_000, 7_500, 12_000, 18_000, 28_000, 40_000,
];

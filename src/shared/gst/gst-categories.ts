/** What a buyer is to GST. */
export const GST_CATEGORIES = [
  "regular",
  "composition",
  "sez",
  "unregistered",
  "consumer",
  "overseas",
  "deemed_export",
  "uin",
  "tds",
  "tcs",
] as const;

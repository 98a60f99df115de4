/** One kind of request under load, and the status that every reply must have. */
export type Scenario = { name: string; method: "GET" | "POST"; path: string; status: number; body?: object };

/** What is measured: a list of 25 rows, one record with its lines, and the largest write. */
export function scenariosOf(slug: string, customerId: string, invoiceId: string): Scenario[] {
  return [
    { name: "customers list", method: "GET", path: `/v1/customers/${slug}`, status: 200 },
    { name: "invoice read", method: "GET", path: `/v1/invoices/${slug}/${invoiceId}`, status: 200 },
    {
      name: "invoice create",
      method: "POST",
      path: `/v1/invoices/${slug}`,
      status: 201,
      body: newInvoice(customerId),
    },
  ];
}

/** An invoice of three lines. */
export function newInvoice(customerId: string): object {
  const line = { quantity: 3, unit: "NOS", unit_price: 99.99, tax_rate: 18, hsn_sac_code: "732393" };
  return {
    customer_id: customerId,
    items: [
      { ...line, item_name: "Steel bottle, 1 litre" },
      { ...line, item_name: "Steel bottle, 2 litres", unit_price: 149.5, discount_amount: 20 },
      { ...line, item_name: "Carrier", quantity: 1.5, tax_rate: 12, hsn_sac_code: "420292" },
    ],
    notes: "Delivered to the back gate",
  };
}

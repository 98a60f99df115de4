import { ApiError, type components, createCompanyClient } from "#client";

type Key = { id: string; secret: string };
type Invoice = components["schemas"]["Invoice"];

/** Five calls of the typed client, as an integrator writes them: no cast, and no `any`. */
export async function makeFiveCalls(baseUrl: string, company: string, key: Key): Promise<string[]> {
  const api = createCompanyClient({ baseUrl, clientId: key.id, clientSecret: key.secret });
  const path = { company };

  const customer = await api.post("/customers/{company}", {
    params: { path },
    body: { name: "Meera Nair", state: "Karnataka", pincode: "560001" },
  });
  const issued = await api.post("/invoices/{company}", {
    params: { path },
    body: {
      customer_id: customer.data.id,
      items: [
        {
          item_name: "Guitar lesson",
          quantity: 2,
          unit: "HRS",
          unit_price: 450,
          tax_rate: 18,
          hsn_sac_code: "999293",
        },
      ],
    },
  });
  const read = await api.get("/invoices/{company}/{id}", {
    params: { path: { company, id: issued.data.id } },
  });
  const invoice: Invoice = read.data;

  const numbers: string[] = [];
  for await (const each of api.list("/invoices/{company}", { params: { path, query: { limit: 1 } } }))
    numbers.push(each.invoice_number);

  const refused = await api
    // @ts-expect-error: no invoice, no date, no mode, and an amount that is no number
    .post("/payments/{company}", { params: { path }, body: { amount: "12" } })
    .catch((error: unknown) => error);
  const codes =
    refused instanceof ApiError ? refused.errors.map(({ field, code }) => `${field} ${code}`) : [];

  return [String(invoice.total_amount), ...numbers, ...codes];
}

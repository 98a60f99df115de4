import createClient from "openapi-fetch";
import type { components, paths } from "./types.d.ts";

type Key = { id: string; secret: string };
type Invoice = components["schemas"]["Invoice"];

/** Five calls of the typed client, as an integrator writes them: no cast, and no `any`. */
export async function makeFiveCalls(baseUrl: string, company: string, key: Key): Promise<string[]> {
  const api = createClient<paths>({
    baseUrl,
    headers: { "X-Client-Id": key.id, "X-Client-Secret": key.secret },
  });
  const path = { company };

  const customer = await api.POST("/customers/{company}", {
    params: { path },
    body: { name: "Meera Nair", state: "Karnataka", pincode: "560001" },
  });
  if (customer.error) throw new Error(`${customer.error.code}: ${customer.error.message}`);

  const issued = await api.POST("/invoices/{company}", {
    params: { path, header: { "Idempotency-Key": crypto.randomUUID() } },
    body: {
      customer_id: customer.data.data.id,
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
  if (issued.error) throw new Error(issued.error.message);

  const read = await api.GET("/invoices/{company}/{id}", {
    params: { path: { company, id: issued.data.data.id } },
  });
  const invoice: Invoice | undefined = read.data?.data;

  const listed = await api.GET("/invoices/{company}", { params: { path, query: { limit: 1 } } });
  const numbers: string[] = (listed.data?.data ?? []).map(({ invoice_number: number }) => number);

  // @ts-expect-error: no invoice, no date, no mode, and an amount that is no number
  const refused = await api.POST("/payments/{company}", { params: { path }, body: { amount: "12" } });
  const codes: string[] = refused.error?.errors?.map(({ field, code }) => `${field} ${code}`) ?? [];

  return [String(invoice?.total_amount), ...numbers, ...codes];
}

import type { Api, Data, Key } from "../api.ts";
import { GOODS } from "./demo-data.ts";

/** Companies in India that may not charge GST, each with what its `gst_status` says. */
export const SELLERS = [
  {
    slug: "demo-corner-shop",
    name: "Demo Corner Shop",
    state: "Kerala",
    address: "3 Beach Road\nKochi 682001",
    pincode: "682001",
    gst_status: "unregistered",
  },
  {
    slug: "demo-canteen",
    name: "Demo Canteen",
    state: "Karnataka",
    gstin: "29AAQFD5530K1ZZ",
    address: "7 Residency Road\nBengaluru 560025",
    pincode: "560025",
    gst_status: "composition",
  },
] as const;

/** Opens these companies, each with a customer and an invoice; gives the first key of each by its slug. */
export async function makeSellers(platform: Api): Promise<Record<string, Key>> {
  const made = await Promise.all(
    SELLERS.map(async (seller) => [seller.slug, await makeSeller(platform, seller)] as const),
  );
  return Object.fromEntries(made);
}

async function makeSeller(
  platform: Api,
  { gst_status, pincode, ...company }: (typeof SELLERS)[number],
): Promise<Key> {
  const { slug, state } = company;
  const { data } = await platform.post<Data<{ admin_key: Key }>>("/platform/companies", company);
  const api = platform.signedBy(data.admin_key);
  await api.patch(`/settings/${slug}/profile`, { gst_status });
  const buyer = { name: "Anita Deshpande", gst_category: "consumer", state, pincode };
  const customer = await api.create<Data<{ id: string }>>(`/customers/${slug}`, "demo-customer", buyer);
  const items = [GOODS.notebook, GOODS.pen].map((item) => ({ ...item, tax_rate: 0, quantity: 12 }));
  await api.create(`/invoices/${slug}`, "demo-invoice", { customer_id: customer.data.id, items });
  return data.admin_key;
}

import { companyDate } from "#core/calendar.ts";
import { must, type TestCompany } from "./company.ts";
import { checkOut, connectGateway, play } from "./gateways.ts";

type Made = { id: string; invoice_id: string; total_amount: number };

/** A chargeback of an order whose credit was paid out before: no credit note can say it any more. Gives its refund's id. */
export async function chargedBack(company: TestCompany): Promise<string> {
  const { merchant } = await connectGateway(company, "razorpay", { priority: 0 });
  const { order_id: order, payment_data: asked } = await checkOut(company, {
    customer: { name: "Meera Nair", email: "meera@example.com", state: "Karnataka", country: "IN" },
    items: [{ name: "Gift card", quantity: 1, unit_price: 100 }],
  });
  const { payment_ids: payments } = await play(company, "razorpay", asked.gateway_order_id, "paid");
  const invoice = (await company.read<Made>(`/orders/:company/${order}`)).invoice_id;
  const note = must(await company.call<Made>("POST", `/invoices/:company/${invoice}/credit-notes`), 201).body
    .data;
  const payout = {
    amount: note.total_amount,
    payment_mode_id: 2,
    payout_date: companyDate(Date.now(), "Asia/Kolkata"),
  };
  must(await company.call("POST", `/credit-notes/:company/${note.id}/payouts`, { body: payout }), 201);
  const path = `/pay/accounts/${merchant.account}/payments/${payments[0]}`;
  const taken = await fetch(`${company.gatewaysUrl}${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ source: "chargeback" }),
  });
  if (!taken.ok) throw new Error(`The bank took nothing: ${await taken.text()}`);
  return (await company.read<Made[]>(`/refunds/:company?order_id=${order}`))[0]?.id ?? "";
}

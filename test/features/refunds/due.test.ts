import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { leaveCapture, play } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { openWithGateway, orderOf, pay } from "../bookings/bookings/gateway-school.ts";
import { newPayment } from "../money.ts";
import { newUnpaid, opened, openSeller } from "../payments/online/unpaid.ts";
import { daysAhead, newBooking } from "../school.ts";
import { newRefund, paidOrder } from "./refunds.ts";

type Due = {
  kind: "order" | "booking" | "capture";
  ref_id: string;
  amount: number;
  capture_id: string | null;
};

test("orders, bookings and captures whose money is due back are listed, and one call sends each back", async () => {
  const { school, gateway: connected } = await openWithGateway();
  const { company } = school;
  const listed = async () => must(await company.call<Due[]>("GET", "/refunds/:company/due"), 200).body.data;
  expect(await listed()).toEqual([]);
  const { orderId, captureId } = await paidOrder({ company, connected });
  await paidOrder({ company, connected }, "paid");
  const cancelled = await newBooking(school, { booking_date: daysAhead(7), start_time: "10:00" });
  await play(company, "razorpay", orderOf(await pay(school, cancelled.id)), "paid");
  must(await company.call("POST", `/settings/:company/bookings/${cancelled.id}/cancel`, { body: {} }), 200);
  const twice = await newBooking(school, { booking_date: daysAhead(8), start_time: "10:00" });
  await play(company, "razorpay", orderOf(await pay(school, twice.id)), "twice");
  const stray = await leaveCapture(company);

  const due = await listed();
  const shown = due.map(({ kind, ref_id, amount }) => `${kind} ${ref_id} ${amount}`);
  expect(shown.toSorted()).toEqual(
    [
      `booking ${cancelled.id} ${cancelled.total_amount}`,
      `capture ${Number(stray) - 1} ${twice.total_amount}`,
      `capture ${stray} 354`,
      `order ${orderId} 100`,
    ].toSorted(),
  );
  expect(due.find(({ kind }) => kind === "order")?.capture_id).toBe(captureId);
  const pages: Due[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const path: string = `/refunds/:company/due?limit=1${cursor && `&cursor=${cursor}`}`;
    const { data, paging } = must(await company.call<Due[]>("GET", path), 200).body as unknown as {
      data: Due[];
      paging: { next_cursor: string | null };
    };
    pages.push(...data);
    cursor = paging.next_cursor;
  }
  expect(pages).toEqual(due);

  for (const { kind, ref_id } of due.filter(({ ref_id }) => ref_id !== stray))
    expect((await newRefund(company, { [`${kind}_id`]: ref_id })).status).toBe("succeeded");
  expect((await listed()).map(({ ref_id }) => ref_id)).toEqual([stray]);
  await expectSound(company);
});

test("what came above what an invoice was due is listed, and goes back", async () => {
  const seller = await openSeller();
  const { company } = seller;
  const unpaid = await newUnpaid(seller);
  const order = await opened(seller, unpaid);
  await newPayment(company, { invoice_id: unpaid.invoice.id, amount: 100 });
  await play(company, "razorpay", order, "paid");
  const listed = async () => must(await company.call<Due[]>("GET", "/refunds/:company/due"), 200).body.data;
  const [due, ...others] = await listed();
  expect(due).toMatchObject({ kind: "capture", amount: 100 });
  expect(others).toEqual([]);
  expect((await newRefund(company, { capture_id: due?.ref_id })).status).toBe("succeeded");
  expect(await listed()).toEqual([]);
  await expectSound(company);
});

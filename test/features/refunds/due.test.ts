import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { leaveCapture } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { newRefund, paidOrder } from "./refunds.ts";
import { openLessons } from "./sales.ts";

type Due = {
  kind: "order" | "booking" | "capture";
  ref_id: string;
  amount: number;
  capture_id: string | null;
};

test("orders, bookings and captures whose money is due back are listed, and one call sends each back", async () => {
  const lessons = await openLessons();
  const { company, shop } = lessons;
  const listed = async () => must(await company.call<Due[]>("GET", "/refunds/:company/due"), 200).body.data;
  expect(await listed()).toEqual([]);
  const { orderId, captureId } = await paidOrder(shop);
  await paidOrder(shop, "paid");
  const cancelled = await lessons.sold();
  await cancelled.cancel();
  const twice = await lessons.sold("twice");
  const stray = await leaveCapture(company);

  const due = await listed();
  const shown = due.map(({ kind, ref_id, amount }) => `${kind} ${ref_id} ${amount}`);
  expect(shown.toSorted()).toEqual(
    [
      `booking ${cancelled.id} ${cancelled.price}`,
      `capture ${Number(stray) - 1} ${twice.price}`,
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

import { expect, test } from "vitest";
import { must } from "../../../support/company.ts";
import { soldLesson } from "../../refunds/sold-lesson.ts";

test("a booking names its invoice until that is voided", async () => {
  const { company, invoiceId, read } = await soldLesson();
  type Invoice = { invoice_number: string };
  const { invoice_number } = must(await company.call<Invoice>("GET", `/invoices/:company/${invoiceId}`), 200)
    .body.data;
  expect(await read()).toMatchObject({ invoice_id: invoiceId, invoice_number });
  must(await company.call("POST", `/invoices/:company/${invoiceId}/void`), 200);
  expect(await read()).toMatchObject({ invoice_id: null, invoice_number: null });
});

import { afterAll, expect, test } from "vitest";
import { openCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { getInvoice, line, newCustomer, newInvoice, REGISTERED } from "../commerce.ts";
import { tally, voidInvoice } from "../money.ts";
import { byQuantity, postNote } from "./notes.ts";

const company = await openCompany(REGISTERED);
const customerId = (await newCustomer(company)).id;
afterAll(() => expectSound(company));

const issued = (items: object[] = [line]) => newInvoice(company, customerId, { items });

test("20 notes of 1 on a line of 10: ten are issued, numbered without gap", async () => {
  const invoice = await issued([{ ...line, quantity: 10 }]);
  const id = invoice.items[0]?.id;
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => postNote(company, invoice.id, byQuantity(id, 1))),
  );
  expect(tally(answers)).toEqual({ 201: 10, 422: 10 });
  expect(await getInvoice(company, invoice.id)).toMatchObject({ credit_status: "full", amount_due: 0 });
});

test("a note against the void of its invoice: one of them wins", async () => {
  for (let round = 0; round < 3; round++) {
    const invoice = await issued();
    const answers = await Promise.all([postNote(company, invoice.id), voidInvoice(company, invoice.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual(
      answers[1]?.status === 200 ? [200, 409] : [201, 409],
    );
  }
});

import { expect, test } from "vitest";
import { rowsOf } from "../../commerce.ts";
import { openShop, postCheckout } from "../shop.ts";

test.each([
  ["is blocked", { kind: "error", code: "BLOCKED" } as const],
  ["refuses our token", { kind: "status", status: 401 } as const],
])(
  "where the database %s after the order was stored, checkout does not say that nothing was done",
  async (_, fault) => {
    const { company } = await openShop();
    await company.faults({ ...fault, writes_only: true, every: 2, times: 1 });
    const answer = await postCheckout(company);
    expect(answer).toMatchObject({ status: 503, body: { code: "outcome_unknown" } });
    expect(await rowsOf(company, "SELECT status FROM sales_orders")).toHaveLength(1);
  },
);

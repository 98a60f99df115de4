import { beforeAll, expect, test } from "vitest";
import type { TestCompany } from "../../../support/company.ts";
import { openShop, postCheckout } from "../shop.ts";

let company: TestCompany;

beforeAll(async () => {
  ({ company } = await openShop());
});

const PAGE = "https://shop.example.com/thanks";

test.each([`${PAGE}\r\n`, `${PAGE}\t`, `\n${PAGE}`, "https://shop.example.com/a\r\nb", `${PAGE}\u0000`])(
  "a checkout refuses to send its payer to %j",
  async (text) => {
    for (const field of ["return_url", "cancel_url"]) {
      expect(await postCheckout(company, { [field]: text })).toMatchObject({
        status: 422,
        body: { code: "validation_failed", errors: [{ field }] },
      });
    }
  },
);

test.each([PAGE, "http://localhost:5173/back?order=1#done"])("and takes %s", async (text) => {
  expect((await postCheckout(company, { return_url: text, cancel_url: text })).status).toBe(200);
});

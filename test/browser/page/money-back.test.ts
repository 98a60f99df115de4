import { beforeAll, expect, test } from "vitest";
import { openWithGateway } from "../../features/bookings/bookings/gateway-school.ts";
import { leaveRefund, paidVisit, type Refund } from "../../features/bookings/page/paid-visit.ts";
import { submit } from "../../features/bookings/page/visitor.ts";
import { rowsOf } from "../../features/commerce.ts";
import { daysAhead, type School, setRules } from "../../features/school.ts";
import { must } from "../../support/company.ts";
import { open, picture, useBrowser } from "./visit.ts";

useBrowser();

type Left = {
  name: string;
  policy?: "full";
  /** Whether its visitor has cancelled it. */
  isCancelled?: true;
  /** What the booking is by now. */
  paid?: "refunded";
  refunds?: Refund[];
  outcome?: "twice";
  /** How staff gave the money back: by this payment mode. */
  byMode?: number;
  says: readonly [english: string, hindi: string];
};

const SUCCEEDED = { status: "succeeded" };
const STATES: Left[] = [
  {
    name: "before-policy",
    policy: "full",
    says: [
      "You get A$75.00 back, the way that you paid.",
      "आपको A$75.00 उसी तरीके से वापस मिलेंगे जिससे आपने भुगतान किया था।",
    ],
  },
  {
    name: "before-no-policy",
    says: ["Coast Driving School will pay A$75.00 back.", "Coast Driving School आपको A$75.00 लौटाएगा।"],
  },
  {
    name: "will-be",
    isCancelled: true,
    refunds: [{ status: "created" }],
    says: ["A$75.00 will be paid back to you", "A$75.00 आपको उसी तरीके से लौटाए जाएँगे"],
  },
  {
    name: "on-its-way",
    isCancelled: true,
    refunds: [{ status: "pending" }],
    says: ["A$75.00 is on its way back to you.", "A$75.00 आपको लौटाए जा रहे हैं।"],
  },
  {
    name: "paid-back",
    isCancelled: true,
    paid: "refunded",
    refunds: [SUCCEEDED],
    says: ["A$75.00 was paid back to you on", "को A$75.00 आपको लौटा दिए गए।"],
  },
  {
    name: "school-pays",
    isCancelled: true,
    refunds: [{ status: "failed" }],
    says: ["Coast Driving School will pay A$75.00 back.", "Coast Driving School आपको A$75.00 लौटाएगा।"],
  },
  {
    name: "partly",
    refunds: [{ ...SUCCEEDED, amount: 1_000 }],
    says: ["A$65.00 stays paid.", "A$65.00 का भुगतान बना हुआ है।"],
  },
  {
    name: "chargeback",
    isCancelled: true,
    refunds: [{ ...SUCCEEDED, source: "chargeback" }],
    says: ["Your bank took back A$75.00 of your payment.", "आपके बैंक ने आपके भुगतान में से A$75.00 वापस ले लिए।"],
  },
  {
    name: "confirmed-paid-back",
    paid: "refunded",
    refunds: [SUCCEEDED],
    says: ["your lesson is still confirmed.", "आपकी क्लास अब भी पक्की है।"],
  },
  {
    name: "by-hand",
    isCancelled: true,
    byMode: 2,
    says: ["A$75.00 was paid back to you on", "को A$75.00 आपको लौटा दिए गए।"],
  },
  {
    name: "twice",
    outcome: "twice",
    says: ["You paid for this lesson more than once.", "आपने इस क्लास का भुगतान एक से ज़्यादा बार किया है।"],
  },
  {
    name: "twice-cancelled",
    outcome: "twice",
    isCancelled: true,
    says: ["Coast Driving School will pay A$150.00 back.", "Coast Driving School आपको A$150.00 लौटाएगा।"],
  },
];

let school: School;
beforeAll(async () => {
  ({ school } = await openWithGateway("stripe"));
});

test.each(STATES.map((state, place) => ({ ...state, place })))(
  "at 360 px the page says in both languages what becomes of the money: $name",
  async ({ name, policy, isCancelled, paid, refunds = [], outcome, byMode, says, place }) => {
    const visited = await paidVisit("10:00", school, daysAhead(7 + place), outcome);
    if (isCancelled) await submit(`${visited.path}/cancel`, { once: name });
    for (const refund of refunds) await leaveRefund(visited, refund);
    if (paid)
      await rowsOf(school.company, `UPDATE bookings SET payment_status = '${paid}' WHERE id = ?`, [
        visited.id,
      ]);
    if (byMode !== undefined) {
      const body = { payment_status: "refunded", payment_mode_id: byMode };
      must(await school.company.call("PATCH", `/settings/:company/bookings/${visited.id}`, { body }), 200);
    }
    await setRules(school.company, { refund_on_cancel: policy ?? "off" });
    for (const [language, sentence] of [
      ["en", says[0]],
      ["hi", says[1]],
    ] as const) {
      const { page } = await open(`${visited.path}?lang=${language}`, 360);
      if (!isCancelled) await page.locator("summary").click();
      await picture(page, `${name}-${language}-360`);
      await page.getByText(sentence).waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      await page.close();
    }
  },
);

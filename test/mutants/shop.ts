import { type Mutant, tests } from "./mutant.ts";

const ORDERS = "src/features/storefront/orders";
const EVENTS = "src/features/gateway-payments/events";
const FROM_ORDER = "src/features/invoices/from-order";

/** Of the shop: its webhooks, invoices and orders. */
export const SHOP_MUTANTS: readonly Mutant[] = [
  {
    gone: "storefront/webhook/settlement: two payments of one order at once",
    killedBy: tests("storefront/webhook/outcomes", "that is made twice"),
    file: `${ORDERS}/payment-effects.ts`,
    from: "{ needsRefund: 1 }, hasOtherMoney",
    to: "{ needsRefund: 0 }, hasOtherMoney",
  },
  {
    gone: "storefront/webhook/outcomes: a payer bears the fee",
    killedBy: tests("captures/captures", "a fee that the payer bore"),
    file: `${EVENTS}/decide-effect.ts`,
    from: "(orMore && amount > intent.amount)",
    to: "(orMore && amount < intent.amount)",
  },
  {
    gone: "storefront/invoice/tax: on the line, in the price, of shipping; conversion: any cart, an odd paisa",
    killedBy: "test/simulator/paper.test.ts",
    file: "src/features/storefront/checkout/price-order.ts",
    from: "sum + line.total + line.addedTax, taxAmount",
    to: "sum + line.total, taxAmount",
  },
  {
    gone: "storefront/invoice/tax: a stated tax is on its lines, two paise off; conversion: without any rate",
    killedBy: "test/shared/gst/stated-tax.test.ts -t a stated tax is that of a rate",
    file: "src/shared/gst/rates.ts",
    from: "0, 100, 250, 1_000,",
    to: "0, 8_875, 250, 1_000,",
  },
  {
    gone: "storefront/invoice/conversion: what was sold meanwhile is sold",
    killedBy: tests("storefront/checkout/stock", "of 20 shoppers"),
    file: `${ORDERS}/invoice-paid-order.ts`,
    from: "oversold: 1,",
    to: "oversold: 0,",
  },
  {
    gone: "storefront/invoice/zero-rated: abroad under a letter; the letter is named",
    killedBy: tests("invoices/page/papers", "an order from abroad bears no tax"),
    file: `${FROM_ORDER}/split-tax.ts`,
    from: "(underLetter && taxAmount === 0)",
    to: "(underLetter && taxAmount > 0)",
  },
  {
    gone: "storefront/invoice/zero-rated: a country that is a state of India",
    killedBy: "test/shared/countries.test.ts",
    file: "src/shared/places/countries.ts",
    from: '!== undefined ? "IN" : null',
    to: '!== undefined ? null : "IN"',
  },
  {
    gone: "storefront/invoice/particulars: goods are taxed where they are delivered",
    killedBy: "test/shared/gst/supply.test.ts -t goods are supplied where",
    file: "src/features/invoices/tax/place-of-supply.ts",
    from: "isService ? null : shipping",
    to: "isService ? shipping : null",
  },
  {
    gone: "storefront/checkout/stock: whichever event comes first; late-money: a surplus in review",
    killedBy: tests("storefront/checkout/stock", "of a surplus of"),
    file: `${ORDERS}/payment-effects.ts`,
    from: "surplus: recordSurplus,",
    to: "surplus: () => [],",
  },
  {
    gone: "storefront/orders/resolve-by-invoice: a tax of 0 and of none",
    killedBy: tests("storefront/orders/resolve-by-invoice", "works the tax out"),
    file: `${ORDERS}/resolve.ts`,
    from: "(taxedBy(order.taxAmount) ?? taxedBy(0))",
    to: "taxedBy(order.taxAmount)",
  },
  {
    gone: "storefront/orders/late-money: by reference; resolve-by-dismissal: settles what was paid twice",
    killedBy: tests("captures/captures", "another amount is an advance"),
    file: `${ORDERS}/resolve.ts`,
    from: "          ...settle(ctx, String(id), waiting, { mode, reference }),\n",
    to: "",
  },
  {
    gone: "storefront/orders/dismiss-credit: a note of the same moment",
    killedBy: tests("storefront/orders/resolve-by-dismissal", "whose invoice has unused credit"),
    file: "migrations/company/26_refund_targets.sql",
    from: "WHEN NEW.needs_refund = 0 AND OLD.needs_refund = 1 BEGIN",
    to: "WHEN NEW.needs_refund = 1 AND OLD.needs_refund = 0 BEGIN",
  },
  {
    gone: "storefront/orders/list: by pages, each order once",
    killedBy: "test/core/paging.test.ts",
    file: "src/shared/page.ts",
    from: "? id : ABOVE_EVERY_ID",
    to: "? id + 1 : ABOVE_EVERY_ID",
  },
  {
    gone: "storefront/webhook/outcomes: a live event at an account in test mode",
    killedBy: "test/workerd/refund-events.test.ts",
    file: "src/providers/payment/stripe-events.ts",
    from: 'if (at(event, "livemode") !== (account.mode === "live") || !isRead(said)) return ignored;',
    to: "if (!isRead(said)) return ignored;",
  },
  {
    gone: "storefront/checkout/refused: to where its payer may not return",
    killedBy: "test/shared/network/return-address.test.ts",
    file: "src/shared/network/return-address.ts",
    from: "if (/\\p{Cc}/u.test(text)) return false;",
    to: "if (text === '') return false;",
  },
  {
    gone: "storefront/orders/resolve-by-dismissal: a package that could not be granted",
    killedBy: tests("bookings/packages/online-packages", "whose lesson is no longer given"),
    file: "migrations/company/12_storefront.sql",
    from: "SET packages_missing = 1, review_code = 'packages_missing' WHERE",
    to: "SET packages_missing = 1 WHERE",
  },
];

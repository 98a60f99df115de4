import { Router } from "#api/operations/operation.ts";
import { listUnposted, renderUnposted } from "./list.ts";
import { Unposted } from "./schema.ts";

const unpostedExample = {
  source_type: "invoice" as const,
  source_id: "12",
  number: "INV/26-27/00012",
  date: "2026-11-21",
  amount: 354,
  currency: "INR",
  reason: "account_inactive" as const,
};

export const unpostedRoutes = new Router("Ledger").list(
  {
    id: "listUnposted",
    method: "get",
    path: "/ledger/:company/unposted",
    summary: "List documents without a journal entry",
    description:
      "Valid invoices and payments whose journal entry was left out, and the money of paid orders in review. Newest first, with the reason.",
    scope: "ledger:read",
    result: Unposted,
    example: { result: unpostedExample },
    render: renderUnposted,
    sort: (row) => [row.id],
  },
  listUnposted,
);

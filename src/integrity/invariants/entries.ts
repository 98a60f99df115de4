import { type AccountKey, CLEARING_ACCOUNTS } from "#shared/payments/books.ts";

const CLEARING = Object.entries(CLEARING_ACCOUNTS).map(([kind, key]) => `WHEN '${kind}' THEN '${key}'`);

// Left to itself, the planner takes the index of reversals: it would go through every entry for every document.
/** Whether a document has an entry that stands. */
export const isPosted = (document: string, id = `${document}s.id`) => `EXISTS (
        SELECT 1 FROM journal_entries INDEXED BY journal_entries_source WHERE source_type = '${document}' AND source_id = ${id}
          AND reversal_of IS NULL AND status = 'posted')`;

/** Whether a document is known to have been left out of the books. */
export const isLeftOut = (document: string, id = `${document}s.id`) =>
  `EXISTS (SELECT 1 FROM unposted WHERE source_type = '${document}' AND source_id = ${id})`;

/** What the lines of an entry come to on these accounts. */
export const onAccounts = (keys: readonly AccountKey[], side: string) =>
  `sum(iif(account.system_key IN (${keys.map((key) => `'${key}'`).join(", ")}), ${side}, 0))`;

/** The clearing account of a gateway. */
export const clearingOf = (gateway: string) => `CASE ${gateway} ${CLEARING.join(" ")} END`;

export { account } from "./accounts/accounts.ts";
export {
  closeDebtorAccount,
  debtorAccountOf,
  eraseDebtorAccounts,
  openDebtorAccount,
  renameDebtorAccount,
} from "./accounts/debtor-account.ts";
export { holdClearing } from "./by-hand/clearing.ts";
export { inputTax } from "./by-hand/input-tax.ts";
export { entry, readByDays } from "./entries/entries.ts";
export { entryIdOf, postedFields } from "./entries/entry-id.ts";
export { documentOf } from "./entries/post.ts";
export {
  ONE_BY_ONE,
  postDocument,
  postDocuments,
  postStrictly,
  STRICTLY_POSTED,
  writeWithEntry,
} from "./entries/post-documents.ts";
export { readInSteps } from "./entries/read-in-steps.ts";
export {
  REVERSAL,
  REVERSAL_REFUSALS,
  ReversalDate,
  reversalDay,
  TOO_EARLY,
} from "./entries/reversal-date.ts";
export { reverseEntries } from "./entries/reverse.ts";
export { atRate } from "./exchange/at-rates.ts";
export { closedDate, isClosedOn, refuseFuture } from "./settings/closed-date.ts";
export { leaveUnposted, reasonUnposted } from "./unposted/leave-unposted.ts";
export { missingPostings, postAllMissing } from "./unposted/post-missing.ts";

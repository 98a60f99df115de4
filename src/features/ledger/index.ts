export {
  closeDebtorAccount,
  debtorAccountOf,
  openDebtorAccount,
  renameDebtorAccount,
} from "./debtor-account.ts";
export { type AccountReference, postEntry } from "./post.ts";
export { reverseEntries } from "./reverse.ts";
export { leaveUnposted, reasonUnposted } from "./unposted.ts";

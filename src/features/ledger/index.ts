export {
  closeDebtorAccount,
  debtorAccountOf,
  openDebtorAccount,
  renameDebtorAccount,
} from "./debtor-account.ts";
export { postEntry } from "./post.ts";

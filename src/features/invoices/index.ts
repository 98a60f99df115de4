export { dueProblem, exceedsDue, settleInvoice } from "./settle.ts";

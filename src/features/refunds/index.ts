export { refundsDue } from "./due.ts";
export { applyRefundReport } from "./report.ts";

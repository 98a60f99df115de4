import { play } from "../../../support/gateways.ts";
import { newVisit, type School } from "../../school.ts";
import { AT, openWithGateway } from "../bookings/gateway-school.ts";
import { openPayment } from "./visitor.ts";

const AMOUNT = 7_500;
const SETTLED = Date.parse("2037-06-02T20:00Z");

type Refund = { status: string; amount?: number; source?: string };

/** A lesson that its visitor has paid through a gateway, once or twice. */
export async function paidVisit(
  at: Partial<typeof AT> = {},
  opened?: School,
  outcome: "paid" | "twice" = "paid",
) {
  const school = opened ?? (await openWithGateway("stripe")).school;
  const { path, booking } = await newVisit(school, { ...AT, ...at });
  await play(school.company, "stripe", await openPayment(path), outcome);
  const [capture] = await school.company.rows("SELECT max(id) AS id FROM gateway_captures");
  return { school, path, id: booking.id, captureId: Number(capture?.id) };
}
type Paid = Awaited<ReturnType<typeof paidVisit>>;

/** Leaves a refund of the lesson's payment as its gateway has it. */
export async function leaveRefund(
  { school, captureId }: Paid,
  { status, amount = AMOUNT, source = "api" }: Refund,
): Promise<void> {
  const isOpen = status === "created" || status === "pending";
  const row = {
    ...{ operation: "op", key: `rf-${Math.random()}`, gateway: "stripe", capture_id: captureId, source },
    ...{ amount, advance_amount: 0, currency: "AUD", status, attempts: 1, created_at: 1 },
    failure_code: status === "failed" ? "declined" : null,
    next_look_at: isOpen ? SETTLED * 2 : null,
    settled_at: isOpen ? null : SETTLED,
  };
  const names = Object.keys(row);
  await school.company.database().batch([
    {
      sql: `INSERT INTO gateway_refunds (${names.join(", ")}) VALUES (${Object.keys(row).fill("?").join(", ")})`,
      args: Object.values(row),
    },
    // No call has stamped them.
    "DELETE FROM events WHERE at IS NULL",
  ]);
}

import { arrive, readArrival } from "../arrival.ts";
import { Failure, pause } from "../client.ts";
import { actions, button, h } from "../dom.ts";
import { type Flow, notice, type StepName, type View } from "../flow.ts";
import { clock, fill } from "../formats.ts";
import type { Booking, Settings } from "../wire.ts";

/** Seconds between looks at a booking whose payment is on its way. */
const LOOKS = [1, 2, 3, 4, 6, 8];
/** Seconds past the hold's end after which the API is asked, for clocks that differ. */
const AFTER_HOLD_S = 5;

/** Shows how a booking stands, and waits a while for its payment where the visitor comes from there. */
export async function showStatus(flow: Flow, signal: AbortSignal): Promise<View | undefined> {
  const { client, memory, text } = flow;
  try {
    const booking = await look(flow, signal);
    // A booking that was not made on this page may be one that is not paid online.
    if (isUnpaid(booking, flow) && memory.kept.isOffline === undefined) {
      const { settings } = await client.get<{ settings: Settings }>("/settings", signal);
      memory.keep({ ...memory.kept, id: booking.id, isOffline: !settings.online_payment_enabled });
    }
    const content = [facts(booking, flow)];
    if (!isUnpaid(booking, flow)) {
      const { status, total_amount } = booking;
      const texts: Record<string, string | undefined> = text;
      // What costs nothing waits for its e-mail address alone.
      const isMailed = status === "pending" && !total_amount;
      const more = isMailed ? text.mailedText : texts[`${status}Text`];
      return {
        heading: texts[status] ?? text.other,
        content: [more && h("p", {}, more), ...content, changes(booking, flow), nextAction(booking, flow)],
      };
    }
    const { mayHavePaid, hasNotPaid } = readArrival();
    if (mayHavePaid) {
      waitForPayment(flow, signal).catch((error) => flow.fail(error, "status", signal));
      return { heading: text.checking, content: [h("p", {}, text.checkingText), ...content] };
    }
    return {
      heading: text.unpaid,
      content: [
        hasNotPaid && notice(text.payment_gateway_error),
        hold(booking, flow, signal),
        ...content,
        payActions(booking, flow),
        changes(booking, flow),
      ],
    };
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 404) throw error;
    return startAnew(flow, "course", flow.explain(error));
  }
}

/** Reads how the booking stands, and says it to the page. */
export async function look(flow: Flow, signal: AbortSignal): Promise<Booking> {
  const { client, memory } = flow;
  const { booking } = await client.get<{ booking: Booking }>(`/bookings/${memory.kept.id}`, signal);
  flow.emit("booking-status", { booking });
  return booking;
}

/** Whether the booking waits for an online payment, which may be on its way when the hold is over. */
function isUnpaid({ status, payment_status }: Booking, { memory }: Flow): boolean {
  const isOpen = status === "pending" || (status === "expired" && readArrival().mayHavePaid);
  return isOpen && payment_status === "unpaid" && !memory.kept.isOffline;
}

async function waitForPayment(flow: Flow, signal: AbortSignal): Promise<void> {
  for (const seconds of LOOKS) {
    await pause(seconds, signal);
    if (isUnpaid(await look(flow, signal), flow)) continue;
    return flow.go("status");
  }
  arrive();
  return flow.go("status", flow.text.unheard);
}

function facts(booking: Booking, { text, formats }: Flow): HTMLElement {
  const { booking_number, booking_date, start_time, end_time, timezone, instructor } = booking;
  const { total_amount, currency, payment_status } = booking;
  const times = `${start_time} – ${end_time}`;
  const amount = formats.money(total_amount, currency);
  const texts: Record<string, string | undefined> = text;
  const paid = payment_status === "unpaid" ? "" : `, ${texts[payment_status]}`;
  const rows: [string, string][] = [
    [text.number, booking_number],
    [text.when, `${formats.day(booking_date)}, ${times}, ${formats.zone(timezone, booking_date)}`],
    [text.with, instructor.name],
    [text.amount, amount + paid],
  ];
  return h(
    "dl",
    {},
    ...rows.flatMap(([term, value]) => [h("dt", {}, term), h("dd", { dir: "auto" }, value)]),
  );
}

/** Counts the hold down; when it ends, the API is asked for the status. */
function hold({ hold_expires_at }: Booking, flow: Flow, signal: AbortSignal): HTMLElement {
  const { text } = flow;
  const left = h("span", { role: "timer" });
  const count = async (end: number) => {
    for (;;) {
      const seconds = Math.max(0, Math.ceil((end - Date.now()) / 1_000));
      left.textContent = fill(text.held, { time: clock(seconds) });
      await pause(seconds > 0 ? 1 : AFTER_HOLD_S, signal);
      if (seconds === 0) return flow.go("status");
    }
  };
  if (hold_expires_at) count(Date.parse(hold_expires_at)).catch(() => undefined);
  return h("p", {}, `${text.unpaidText} `, left);
}

function payActions({ total_amount, currency }: Booking, flow: Flow): HTMLElement {
  const { text, formats } = flow;
  const amount = formats.money(total_amount, currency);
  return actions(
    button(() => flow.go("pay"), { class: "main" }, fill(text.pay, { amount })),
    button(() => flow.go("status"), { class: "link" }, text.checkAgain),
  );
}

/** The way to the booking's own page, where that is known, and to a cancel, while it is not too late for one. */
function changes({ cancellation }: Booking, flow: Flow): HTMLElement {
  const { text } = flow;
  const manage = flow.own();
  return actions(
    manage && h("a", { href: manage, class: "link" }, cancellation ? text.manage : text.other),
    !!cancellation && button(() => flow.go("cancel"), { class: "link" }, text.cancelThis),
  );
}

function nextAction({ status }: Booking, flow: Flow): HTMLElement {
  const { text } = flow;
  const isLost = status === "expired" || status === "cancelled";
  const [step, label]: [StepName, string] = isLost
    ? ["times", text.chooseAgain]
    : ["course", text.bookAnother];
  return actions(button(() => startAnew(flow, step), { class: isLost ? "main" : "link" }, label));
}

function startAnew(flow: Flow, step: StepName, warning?: string): undefined {
  flow.memory.keep({});
  arrive();
  return flow.go(step, warning);
}

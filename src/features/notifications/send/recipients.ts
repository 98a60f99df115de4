import type { OutsideCtx } from "#core/context.ts";
import type { Person } from "./facts.ts";
import type { DueNotification } from "./find-due.ts";
import type { Setup } from "./find-setup.ts";

const INSTRUCTOR = "instructor:";

/** The instructor that a notification goes to; null if it goes to another recipient. */
export function instructorOf(recipient: string): number | null {
  return recipient.startsWith(INSTRUCTOR) ? Number(recipient.slice(INSTRUCTOR.length)) : null;
}

/** The company itself, or one who works for it. */
export function isOwn(recipient: string): boolean {
  return recipient === "company" || instructorOf(recipient) !== null;
}

/** The persons that a notification goes to: of a change of a setting, those of before it. */
export function recipientsOf(
  { recipient, address, facts, receivers }: DueNotification,
  setup: Setup,
): Person[] {
  const { company_name: name, company_email: email, company_phone: phone } = setup;
  if (receivers !== null) return receivers.map((former) => ({ name, email: former, phone: null }));
  if (recipient === "former") return [{ name, email: address, phone: address }];
  if (recipient === "company") {
    const listed = setup.company_recipients;
    if (listed.length === 0) return [{ name, email, phone }];
    return listed.map((one, index) => ({ name, email: one, phone: index === 0 ? phone : null }));
  }
  const { instructor, person } = (facts ?? {}) as { instructor?: Person | null; person?: Person | null };
  const one = instructorOf(recipient) === null ? person : instructor;
  return one == null ? [] : [one];
}

/** The providers that may carry it: of a change, the one of before it, or else the platform's mailer. */
export function carriersOf<Provider>(
  { services }: Pick<OutsideCtx, "services">,
  { receivers, former }: Pick<DueNotification, "receivers"> & { former: Provider | null },
  active: readonly Provider[],
): readonly Provider[] {
  if (former !== null) return [former];
  return receivers === null || services.mailer === null ? active : [];
}

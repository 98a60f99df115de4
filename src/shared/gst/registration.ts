import { findIndianState, type IndianState } from "#shared/places/states.ts";
import { fieldProblem } from "#shared/problem.ts";
import { type Gstin, parseGstin } from "./gstin.ts";

// GSTINs that name no state: other territory, and centrally registered persons.
const STATELESS = new Set(["97", "99"]);

/** The GSTIN of a text, null for none. Throws 422 `invalid_gstin` for a wrong one. */
export function requireGstin(text: string | null | undefined, field = "gstin"): Gstin | null {
  if (text == null || text === "") return null;
  const gstin = parseGstin(text);
  if (gstin !== undefined) return gstin;
  throw fieldProblem(
    field,
    "invalid_gstin",
    "is not a valid GSTIN: check its 15 characters, the last proves the others",
    "invalid_gstin",
  );
}

/** Throws 422 `gstin_state_mismatch` for a GSTIN of another state. */
export function requireSameState(gstin: Gstin | null, state: IndianState | undefined, field = "gstin"): void {
  if (gstin === null || state === undefined) return;
  if (STATELESS.has(gstin.stateCode) || gstin.stateCode === state.code) return;
  throw fieldProblem(
    field,
    "gstin_state_mismatch",
    `is not of ${state.name}: its first two digits name another state`,
    "gstin_state_mismatch",
  );
}

/** Throws 422 for a PAN other than that of its GSTIN, which is made of it (CGST Rules, rule 10). */
export function requireSamePan(gstin: string | null, pan: string | null | undefined): void {
  const own = parseGstin(gstin ?? "")?.pan;
  if (own && pan && own !== pan)
    throw fieldProblem("pan", "gstin_pan_mismatch", `is not ${own}, the PAN in the GSTIN`);
}

/** The 422 for a text that is no state of India. */
export function unknownState(field = "state") {
  return fieldProblem(
    field,
    "invalid_state",
    "is not a state of India: send its English name, such as Karnataka",
    "invalid_state",
  );
}

/** The 422 for a tax that the company has no right to charge. */
export function notRegistered(field: string) {
  const message = "must be 0: the company is not registered to charge tax";
  return fieldProblem(field, "gst_not_registered", message, "gst_not_registered");
}

/** What a company is registered as: its state by name or else by its GSTIN, each checked against the other. */
export function registrationOf(
  country: string,
  given: { gstin?: string | null | undefined; state?: string | null | undefined },
) {
  const gstin = requireGstin(given.gstin);
  const indian = country === "IN";
  const state = indian ? findIndianState(given.state ?? gstin?.stateCode ?? "") : undefined;
  if (indian && given.state != null && state === undefined) throw unknownState();
  requireSameState(gstin, state);
  return {
    gstin: gstin?.gstin ?? null,
    state: state?.name ?? given.state ?? null,
    stateCode: state?.code ?? null,
  };
}

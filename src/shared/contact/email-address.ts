import * as z from "zod";
import { withoutMarks } from "#shared/text/without-marks.ts";

// What browsers take in an e-mail field (https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address), with a host that has a dot, and no dot at an end or beside another.
const HTML =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
// What is sent may have a host of another script, which is checked in its ASCII form.
const SENT = /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[^@]+$/;
const OWN_DOTS = /^(?!\.)(?!.*\.\.)(?!.*\.@)[^@]+@[^@]+\.[^@.]+$/;
// An address of numbers, in whichever digits, is no host of mail.
const IN_NUMBERS = /\.\d+$/;

// Letters, marks and digits of any script, and the dots of its keyboards.
const HOST = /^[\u200d\p{L}\p{M}\p{N}.\u3002\uff0e\uff61\u200c-]+$/u;

/** An e-mail address without invisible marks and blanks around it, its host in ASCII (RFC 5891): so every provider takes it. */
export function withAsciiHost(text: string): string {
  const address = withoutMarks(text).trim();
  const [local, host = "", ...more] = address.split("@");
  const isOfScript = more.length === 0 && /[^\0-\x7f]/.test(host) && HOST.test(host);
  return isOfScript && URL.canParse(`http://${host}`)
    ? `${local}@${new URL(`http://${host}`).hostname}`
    : address;
}

/** An e-mail address of at most `max` characters, by the one rule of the whole API. */
export const emailOf = (max: number) =>
  z
    .string()
    .overwrite(withAsciiHost)
    .max(max, `must have at most ${max} characters`)
    .regex(HTML, { error: "must be an e-mail address", abort: true })
    .regex(OWN_DOTS, "must be an e-mail address")
    .refine((address) => !IN_NUMBERS.test(address), "must be an e-mail address")
    .meta({ format: "email", allOf: [{ pattern: SENT.source }] });

/** An e-mail address that mail goes to: of at most 254 characters. */
export const emailAddress = emailOf(254);

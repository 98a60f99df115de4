import * as z from "zod";

// What browsers take in an e-mail field (https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address), with a host that has a dot, and no dot at an end or beside another.
const HTML =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
const OWN_DOTS = /^(?!\.)(?!.*\.\.)(?!.*\.@)[^@]+@[^@]+\.[^@.]+$/;

/** An e-mail address of at most `max` characters, by the one rule of the whole API. */
export const emailOf = (max: number) =>
  z
    .string()
    .max(max, `must have at most ${max} characters`)
    .regex(HTML, { error: "must be an e-mail address", abort: true })
    .regex(OWN_DOTS, "must be an e-mail address")
    .meta({ format: "email" });

/** An e-mail address that mail goes to: of at most 254 characters. */
export const emailAddress = emailOf(254);

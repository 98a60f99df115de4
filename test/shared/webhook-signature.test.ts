import { expect, test } from "vitest";
import { signWebhook } from "#core/secrets/webhook-signature.ts";

// A vector of the reference library of Standard Webhooks.
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const request = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: 1_614_265_330, body: '{"test": 2432232314}' };
const SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

test("a webhook is signed as Standard Webhooks has it", () => {
  expect(signWebhook([SECRET], request)).toEqual({
    "webhook-id": request.id,
    "webhook-timestamp": "1614265330",
    "webhook-signature": SIGNATURE,
  });
});

test("two secrets give two signatures, in their order, with a space between", () => {
  const other = `whsec_${btoa("another secret of 32 bytes......")}`;
  const { "webhook-signature": both } = signWebhook([other, SECRET], request);
  const [first, second] = both.split(" ");
  expect(second).toBe(SIGNATURE);
  expect(first).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
  expect(first).not.toBe(SIGNATURE);
});

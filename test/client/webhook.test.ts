import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { verifyWebhook } from "#client";

const SECRET = `whsec_${Buffer.from("a secret of the sandbox, 32 bytes").toString("base64")}`;
const BODY = JSON.stringify({ id: "evt_1", type: "invoice.paid", sequence: 1, data: { id: "7" } });

function signed(secret = SECRET, at = new Date()) {
  return {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": new Webhook(secret).sign("evt_1", at, BODY),
  };
}

it("gives the event of a signed request, whose headers are an object or of fetch", () => {
  expect(verifyWebhook(BODY, signed(), SECRET)).toMatchObject({ type: "invoice.paid", data: { id: "7" } });
  expect(verifyWebhook(BODY, new Headers(signed()), SECRET).id).toBe("evt_1");
});

it("throws where the body, the secret, the time or a header is another", () => {
  const other = `whsec_${Buffer.from("another secret, of thirty two byte").toString("base64")}`;
  const old = new Date(Date.now() - 6 * 60_000);
  expect(() => verifyWebhook(`${BODY} `, signed(), SECRET)).toThrow("No matching signature");
  expect(() => verifyWebhook(BODY, signed(other), SECRET)).toThrow("No matching signature");
  expect(() => verifyWebhook(BODY, signed(SECRET, old), SECRET)).toThrow("too old");
  expect(() => verifyWebhook(BODY, {}, SECRET)).toThrow("Missing required headers");
});

import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { refusedFields } from "../commerce.ts";
import { accepted, newNumber, openWith, readMessage, received, sendSms, until } from "./provider.ts";

const TEMPLATE = {
  template_id: "1107",
  text: "Dear {#var#}, welcome. - ASHATR",
  sender_id: "ASHATR",
  pe_id: "1101",
};

test("a registered SMS template is compared with what names it; a difference is a warning, and sent all the same", async () => {
  const own = await openWith("msg91");
  const add = (body: object) => own.call("POST", "/settings/:company/sms-templates", { body });
  must(await add(TEMPLATE), 201);
  expect(refusedFields(await add({ template_id: "1108", text: "Dear \ud800" }))).toEqual({
    text: "invalid_characters",
  });
  const send = (message: string, template_id?: string) =>
    sendSms(own, { message, to: newNumber(), ...(template_id === undefined ? {} : { template_id }) });
  const matching = await send("Dear Meera, welcome. - ASHATR", "1107");
  const differing = await send("Dear Meera, welcome - ASHATR", "1107");
  const unknown = await send("Anything", "9999");
  const missing = await send("Anything");
  expect([matching, differing, unknown, missing].map(({ status }) => status)).toEqual([202, 202, 202, 202]);
  expect(differing.body.data).toMatchObject({ warnings: ["dlt_template_mismatch"] });
  for (const { body } of [matching, unknown, missing]) expect(body.data).not.toHaveProperty("warnings");
  await until(own, accepted(differing), "submitted");
  expect(await readMessage(own, accepted(matching))).toMatchObject({
    sender_id: "ASHATR",
    template_id: "1107",
  });
  const [sms] = await received(String((await readMessage(own, accepted(differing))).to));
  expect(sms).toMatchObject({ from: "ASHATR", details: { template_id: "1107", pe_id: "1101" } });
});

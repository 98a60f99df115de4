import { describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { refusal } from "../refusal.ts";
import { accepted, openWith, readMessage, sendChatapp, sendSms } from "./provider.ts";

type Optout = { id: string; address: string; e164: string | null };
const OPTOUTS = "/settings/:company/optouts";

const company = await openWith("msg91", "meta");
await company.raiseLimit();

const listed = async (address: string, channel = "sms") =>
  must(await company.call<Optout>("POST", OPTOUTS, { body: { channel, address } }), 201).body.data;
const reasonOf = async (to: string, send = sendSms) => {
  const { error } = await readMessage(company, accepted(await send(company, { to })));
  return error?.code ?? null;
};

describe("an opt-out", () => {
  test("is of the whole number: a stranger abroad with the same last digits is written to", async () => {
    expect(await listed("+61 412 345 678")).toMatchObject({ address: "61412345678", e164: "+61412345678" });
    expect(await reasonOf("919412345678")).not.toBe("not_opted_in");
    expect(await reasonOf("9412345678")).not.toBe("not_opted_in");
    expect(await reasonOf("61412345678")).toBe("not_opted_in");
    // Both may opt out.
    expect((await listed("9412345678")).e164).toBe("+919412345678");
    expect(await reasonOf("919412345678")).toBe("not_opted_in");
  });

  test("is found however the number is written, and is one", async () => {
    expect((await listed("09845000009")).e164).toBe("+919845000009");
    for (const address of ["+919845000009", "919845000009", "9845000009", "0091 98450-00009"])
      expect(await company.call("POST", OPTOUTS, { body: { channel: "sms", address } })).toMatchObject(
        refusal(409, "conflict"),
      );
    for (const to of ["09845000009", "919845000009", "9845000009"])
      expect(await reasonOf(to)).toBe("not_opted_in");
  });

  test("of a number that no rule knows is matched by its last 9 digits", async () => {
    expect((await listed("099945123456789")).e164).toBeNull();
    expect(await reasonOf("919945123456")).not.toBe("not_opted_in");
    expect(await reasonOf("9123456780")).not.toBe("not_opted_in");
    expect(await reasonOf("9123456789")).toBe("not_opted_in");
  });

  test("of a chat-app takes its digits as international", async () => {
    expect((await listed("14155550123", "chatapp")).e164).toBe("+14155550123");
    expect(await reasonOf("14155550123", sendChatapp)).toBe("not_opted_in");
    expect(await reasonOf("914155550123", sendChatapp)).not.toBe("not_opted_in");
  });

  test("of a chat-app may be of a user id, of SMS not", async () => {
    const address = "IN.7123456789012345";
    const { id, ...optout } = await listed(address, "chatapp");
    expect(optout).toMatchObject({ address, e164: null, source: "manual" });
    expect(await reasonOf(address, sendChatapp)).toBe("not_opted_in");
    for (const [channel, given, status] of [
      ["chatapp", address, 409],
      ["sms", address, 422],
      ["chatapp", "IN_7123456789012345", 422],
    ] as const)
      expect((await company.call("POST", OPTOUTS, { body: { channel, address: given } })).status).toBe(
        status,
      );
    expect(must(await company.call<Optout[]>("GET", OPTOUTS), 200).body.data).toContainEqual({
      id,
      ...optout,
    });
    must(await company.call("DELETE", `${OPTOUTS}/${id}`), 200);
    expect(await reasonOf(address, sendChatapp)).not.toBe("not_opted_in");
  });
});

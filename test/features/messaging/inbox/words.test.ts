import { createHmac, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, inject, test } from "vitest";
import { isOptIn, plainWord, wishOf } from "../../../../src/features/messaging/contacts/words.ts";
import { MINUTE_MS } from "../../../../src/shared/time/durations.ts";
import { must, openCompany } from "../../../support/company.ts";
import { send } from "../../../support/http.ts";
import vectors from "../../../vectors/typed-texts.json" with { type: "json" };
import { bodyOf, numberOf, post } from "../callbacks/chatapp-callback.ts";
import { connect, newNumber } from "../provider.ts";

const OUT = [
  "stop",
  "STOP",
  " Stop. ",
  "stopall",
  "unsubscribe",
  "OptOut",
  "opt out",
  "Opt  Out!",
  "revoke",
  "ＳＴＯＰ",
  ...["please stop", "STOP STOP", "Stop! Stop! STOP!", "stop karo", "stop kar do", "stop spam", "stop ok"],
  ...["stop, thanks", "Stop. Thank you", "...stop", "opt-out", "Opt – Out", "stop-all", "un-subscribe"],
];
const IN = ["start", "START!", "unstop", "Subscribe", "start please", "“START”", "un-stop"];
const FALSE_FRIENDS = [
  "cancel",
  "stop by at 5",
  "please don't stop",
  "don't stop",
  "non-stop",
  "bus stop",
  "stop karo mat",
  "stop, no",
  "end to end",
  "stop?no",
  "restart",
  "starting",
  "",
  ".",
  "weekend",
  "quite",
  "the end",
];

const wish = (text: string, country = "IN", number: string | null = "+919845012345", channel = "sms") =>
  wishOf(text, { channel: channel as "sms", country, number });

describe("a whole message of one word", () => {
  test.each(OUT)("%j opts out of any channel, everywhere", (text) => {
    for (const country of ["IN", "US", "FR", "DE", "XX"])
      for (const channel of ["sms", "chatapp"]) expect(wish(text, country, null, channel)).toBe("out");
  });

  test.each(IN)("%j opts in again", (text) => {
    for (const channel of ["sms", "chatapp"]) expect(wish(text, "GB", null, channel)).toBe("in");
  });

  test.each(["end", "Quit."])("%j opts out of SMS alone", (text) => {
    expect(wish(text)).toBe("out");
    expect(wish(text, "IN", "+919845012345", "chatapp")).toBeNull();
  });

  test.each(vectors.stop_words)("$words ends: $ends", ({ words, ends }) => {
    for (const channel of ["sms", "chatapp"])
      expect(wish(words, "IN", null, channel)).toBe(ends ? "out" : null);
  });

  test.each(FALSE_FRIENDS)("%j is no such word", (text) => {
    for (const channel of ["sms", "chatapp"]) expect(wish(text, "IN", null, channel)).toBeNull();
  });

  test.each<[string, string, string]>([
    ["बंद", "IN", "out"],
    ["बंद करें।", "IN", "out"],
    ["बंद करो", "IN", "out"],
    ["रोकें", "IN", "out"],
    ["रोको", "IN", "out"],
    ["स्टॉप", "IN", "out"],
    ["Band", "IN", "out"],
    ["band karo", "IN", "out"],
    ["बंद करे", "IN", "out"],
    ["बंद कर दो", "IN", "out"],
    ["कृपया बंद करें", "IN", "out"],
    ["कृपया, बंद।", "IN", "out"],
    ["ROKO", "IN", "out"],
    ["शुरू", "IN", "in"],
    ["शुरू\u200d", "IN", "in"],
    ["शुरू करें", "IN", "in"],
    ["चालू", "IN", "in"],
    ["Shuru", "IN", "in"],
    ["Arrêt", "FR", "out"],
    ["ARRET", "CA", "out"],
    ["arre\u0302t", "FR", "out"],
    ["Alto", "ES", "out"],
    ["parar", "US", "out"],
  ])("%j is a word of %s", (text, country, expected) => {
    expect(wish(text, country, null)).toBe(expected);
    expect(wish(text, "DE", null)).toBeNull();
  });

  test("is judged by the sender's own country too", () => {
    expect(wish("arret", "IN", "+33612345678")).toBe("out");
    expect(wish("arret", "IN", "+919845012345")).toBeNull();
    // One calling code, two countries.
    expect([wish("arret", "IN", "+14155550123"), wish("alto", "IN", "+14155550123")]).toEqual(["out", "out"]);
    expect(wish("roko", "US", "+919845012345")).toBe("out");
    expect(wish("roko", "US", "+97798450123")).toBeNull();
  });

  test("is plain: a word is compared without what stands around it", () => {
    expect([" No  More… ", "🛑", "#1"].map(plainWord)).toEqual(["no more", "🛑", "#1"]);
    expect([isOptIn("start"), isOptIn("शुरू करें"), isOptIn("stop")]).toEqual([true, true, false]);
  });
});

type Optout = { id: string; channel: string; e164: string | null; source: string };
const OPTOUTS = "/settings/:company/optouts";
const SETTINGS = "/settings/:company/messaging-settings";

describe("what a person wishes", async () => {
  const company = await openCompany();
  const path = (await connect(company, "http-sms")).callback_url.slice(inject("service").url.length);
  const chatappNumber = numberOf(await connect(company, "meta"));

  const write = async (from: string, text: string, id = `in-${randomUUID()}`) =>
    expect((await send("POST", path, { body: { id, from, text } })).status).toBe(200);
  const optouts = async (number: string) => {
    const data = await company.read<Optout[]>(`${OPTOUTS}?limit=100`);
    return data
      .filter(({ e164 }) => e164 === `+${number}`)
      .map(({ channel, source }) => `${channel} ${source}`);
  };

  test("STOP and START end and begin, in the order in which they are written, on their channel", async () => {
    const from = newNumber();
    await write(from, "बंद करें");
    expect(await optouts(from)).toEqual(["sms inbound"]);
    await write(from, "Stop");
    const chat = { from, id: "wamid.words", type: "text", text: { body: "STOPALL" } };
    await post(bodyOf({ number: chatappNumber, messages: [chat] }));
    expect((await optouts(from)).sort()).toEqual(["chatapp inbound", "sms inbound"]);
    await write(`0${from.slice(2)}`, "शुरू करें");
    expect(await optouts(from)).toEqual(["chatapp inbound"]);
    const data = await company.read<{ text: string }[]>(`/messaging/:company/inbound?from=${from}`);
    expect(data.map(({ text }) => text)).toEqual(["शुरू करें", "STOPALL", "Stop", "बंद करें"]);
  });

  test("what Twilio takes it for counts, whatever the words are", async () => {
    const { callback_url } = await connect(company, "twilio");
    const from = newNumber();
    const say = async (Body: string, OptOutType: string) => {
      const fields = { Body, From: `+${from}`, MessageSid: `SM${randomUUID()}`, OptOutType };
      const signed = callback_url + Object.entries(fields).flat().join("");
      const signature = createHmac("sha1", "twilio-token").update(signed).digest("base64");
      const headers = {
        "Content-Type": "application/x-www-form-urlencoded",
        "X-Twilio-Signature": signature,
      };
      const body = new URLSearchParams(fields).toString();
      const url = callback_url.slice(inject("service").url.length);
      expect((await send("POST", url, { body, headers })).status).toBe(200);
      return optouts(from);
    };
    expect(await say("Basta", "HELP")).toEqual([]);
    expect(await say("Basta", "STOP")).toEqual(["sms inbound"]);
    expect(await say("Sí", "START")).toEqual([]);
  });

  test("START takes back no opt-out that was made by hand", async () => {
    const from = newNumber();
    await company.make(OPTOUTS, { channel: "sms", address: from });
    await write(from, "STOP");
    await write(from, "START");
    expect(await optouts(from)).toEqual(["sms manual"]);
  });

  test("STOP that a provider repeats after START opts no one out", async () => {
    const from = newNumber();
    await write(from, "STOP", "stop-1");
    await write(from, "START", "start-1");
    await write(from, "STOP", "stop-1");
    expect(await optouts(from)).toEqual([]);
    // Nor does START undo a later STOP.
    await write(from, "STOP", "stop-2");
    await write(from, "START", "start-1");
    expect(await optouts(from)).toEqual(["sms inbound"]);
  });

  test("STOP without an id of its provider counts each time it comes, in the same minute too", async () => {
    const from = newNumber();
    const said = async (text: string) =>
      expect((await send("POST", path, { body: { from, text } })).status).toBe(200);
    const leftOfMinute = MINUTE_MS - (Date.now() % MINUTE_MS);
    if (leftOfMinute < 10_000) await sleep(leftOfMinute);
    for (const text of ["STOP", "START", "STOP"]) await said(text);
    expect(await optouts(from)).toEqual(["sms inbound"]);
    // A second START may be a repeat of the first: a person who may have said STOP last is not written to.
    await said("START");
    expect(await optouts(from)).toEqual(["sms inbound"]);
  });

  test.each(["", "+", "9845099998' OR 1=1", "HDFCBK"])("STOP of %j opts no one out", async (from) => {
    const count = "SELECT count(*) AS n FROM contact_optouts";
    const before = await company.rows(count);
    await send("POST", path, { body: { id: `in-${randomUUID()}`, from, text: "STOP" } });
    expect(await company.rows(count)).toEqual(before);
  });

  test("what stands below a picture is no word", async () => {
    const from = newNumber();
    const image = { from, id: "wamid.image", type: "image", image: { id: "1", caption: "stop" } };
    await post(bodyOf({ number: chatappNumber, messages: [image] }));
    expect(await optouts(from)).toEqual([]);
  });

  test("words of the company's own count as well; 20 at most, and none that opts in", async () => {
    const from = newNumber();
    await write(from, "no more ads");
    expect(await optouts(from)).toEqual([]);
    const patch = (optout_words: unknown) =>
      company.call<{ optout_words: string[] }>("PATCH", SETTINGS, { body: { optout_words } });
    const set = must(await patch(["No more  ads!", "no more ads", "നിർത്തുക"]), 200).body.data;
    expect(set.optout_words).toEqual(["no more ads", "നിർത്തുക"]);
    await write(from, "NO MORE ADS.");
    expect(await optouts(from)).toEqual(["sms inbound"]);
    for (const words of [
      ["start"],
      ["शुरू"],
      ["!"],
      ["x".repeat(41)],
      Array.from({ length: 21 }, (_, i) => `w${i}`),
    ])
      expect((await patch(words)).status).toBe(422);
    expect(await company.read(SETTINGS)).toEqual({
      content_days: 30,
      message_days: 400,
      optout_words: ["no more ads", "നിർത്തുക"],
    });
  });
});

import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { retryDelay } from "#core/retry-delay.ts";
import type { Services } from "#core/services.ts";
import { smsKinds } from "#providers/sms";
import { needsUnicode } from "#shared/contact/sms-alphabet.ts";
import { segmentsOf } from "../../../src/features/messaging/send/segments.ts";
import { matchesTemplate } from "../../../src/features/messaging/templates/matches-template.ts";
import vectors from "../../vectors/sms-segments.json" with { type: "json" };
import typed from "../../vectors/typed-texts.json" with { type: "json" };

describe("segments", () => {
  test.each(vectors.cases as [string, number, string, number][])(
    "%s, %i times, is %s in %i",
    (text, repeat, encoding, segments) => {
      expect(segmentsOf(text.repeat(repeat))).toEqual({ encoding, segments });
    },
  );

  test("an extension character is not split between two parts", () => {
    expect(segmentsOf(`${"a".repeat(152)}€${"a".repeat(151)}`)).toEqual({ encoding: "GSM-7", segments: 2 });
    expect(segmentsOf(`${"a".repeat(152)}€${"a".repeat(152)}`)).toEqual({ encoding: "GSM-7", segments: 3 });
  });
});

describe("the alphabet of SMS", () => {
  const services = { addressOf: () => "http://127.0.0.1:9" } as unknown as Services;
  const sms = { senderId: null, templateId: null, peId: null, type: "transactional" as const };
  const addressed = { to: "919845000001", reference: "msg_1", callbackUrl: null };

  /** What the request to a provider says of the text's alphabet. */
  async function flagOf(text: string): Promise<unknown> {
    const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({}));
    const config = { auth_key: "key", country: "91" };
    await smsKinds.msg91.send(services, config, { ...addressed, ...sms, text });
    const body = JSON.parse(String(fetched.mock.calls[0]?.[1]?.body));
    fetched.mockRestore();
    return body.unicode;
  }

  test.each([
    ["£5, café", false],
    ["`", true],
    ["{€}", false],
    ["नमस्ते", true],
  ])("of %s is one, for who counts and for who sends: Unicode %s", async (text, unicode) => {
    expect(segmentsOf(text).encoding).toBe(unicode ? "UCS-2" : "GSM-7");
    expect(await flagOf(text)).toBe(unicode ? "1" : "0");
  });

  test("is the same to both for every character below U+2100", async () => {
    for (let code = 0; code < 0x2100; code += 1) {
      const text = String.fromCharCode(code);
      const counted = segmentsOf(text).encoding === "UCS-2";
      if ((await flagOf(text)) !== (counted ? "1" : "0") || needsUnicode(text) !== counted)
        expect.fail(`U+${code.toString(16)}`);
    }
  });
});

describe("a registered template", () => {
  const TEMPLATE = "Dear {#var#}, your code is {#numeric#}. - DEMOTR";
  test.each([
    ["Dear Meera, your code is 1234. - DEMOTR", true],
    ["Dear , your code is . - DEMOTR", true],
    [`Dear ${"x".repeat(40)}, your code is 1. - DEMOTR`, true],
    [`Dear ${"x".repeat(41)}, your code is 1. - DEMOTR`, false],
    ["Dear Meera, your code is 1234. - DEMOTR ", false],
    ["dear Meera, your code is 1234. - DEMOTR", false],
    ["Dear Meera, your code is 1234 - DEMOTR", false],
    ["Dear Meera, your code is a, your code is 1234. - DEMOTR", true],
    ["Dear Meera, your code is ABC. - DEMOTR", false],
  ])("%j: %s", (text, matches) => {
    expect(matchesTemplate(TEMPLATE, text)).toBe(matches);
  });

  test.each(typed.dlt)(
    "tags what its slots take: $template is $message: $fits",
    ({ template, message, fits }) => {
      expect(matchesTemplate(template, message)).toBe(fits);
    },
  );

  test("without a slot is its text alone; a slot's name is case-sensitive", () => {
    expect(matchesTemplate("Hello", "Hello")).toBe(true);
    expect(matchesTemplate("Hello", "Hello!")).toBe(false);
    expect(matchesTemplate("{#VAR#}", "x")).toBe(false);
    expect(matchesTemplate("{#var#}", "")).toBe(true);
  });

  test("agrees with a regular expression wherever that is quick", () => {
    const letter = fc.constantFrom("a", "b");
    const literals = fc.array(fc.string({ unit: letter, maxLength: 3 }), { minLength: 1, maxLength: 4 });
    void fc.assert(
      fc.property(literals, fc.string({ unit: letter, maxLength: 55 }), (parts, text) => {
        const pattern = new RegExp(`^${parts.join("[^]{0,40}")}$`);
        expect(matchesTemplate(parts.join("{#var#}"), text)).toBe(pattern.test(text));
      }),
    );
  });

  test("is compared in a number of steps that grows with slots and length, not with their power", () => {
    // A regular expression of these 20 slots takes over 40 s on this text.
    const template = `${"{#var#}a".repeat(20)}!`;
    let steps = 0;
    const counting = new Proxy(Object("a".repeat(1_000)), {
      get(text: string, name) {
        if (name !== "startsWith") return text[name as "length"];
        return (...given: [string, number]) => {
          steps += 1;
          return text.startsWith(...given);
        };
      },
    }) as string;
    expect(matchesTemplate(template, counting)).toBe(false);
    expect(steps).toBeLessThan(21 * 1_001);
  });
});

describe("the delay before another try", () => {
  test("doubles from 10 s to an hour", () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 60].map((attempt) => retryDelay(attempt, 0.5));
    expect(delays).toEqual([10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600]);
  });

  test("varies by a fifth, and is no shorter than the provider asks", () => {
    expect([retryDelay(3, 0), retryDelay(3, 1)]).toEqual([32, 48]);
    expect(retryDelay(1, 0.5, 90)).toBe(90);
    expect(retryDelay(4, 0.5, 5)).toBe(80);
    expect(retryDelay(1, 0.5, 1e9)).toBe(3_600);
  });
});

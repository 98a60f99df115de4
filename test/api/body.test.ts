import { describe, expect, test, vi } from "vitest";
import { decodeText, inspectJson, readBytes } from "#api/bodies/read-body.ts";
import { Problem } from "#shared/problem.ts";

const LIMIT = 1_000;

function request(body: BodyInit, headers: Record<string, string> = {}): Request {
  return new Request("https://api.example.com", {
    method: "POST",
    body,
    headers,
    duplex: "half",
  } as RequestInit);
}

/** A body in pieces, without an announced length. */
function pieces(...sizes: number[]): ReadableStream<Uint8Array> {
  const chunks = sizes.map((size) => new Uint8Array(size).fill(120));
  return new ReadableStream({
    type: "bytes",
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk !== undefined) return controller.enqueue(chunk);
      controller.close();
      // A reader with a buffer of its own waits for that buffer.
      controller.byobRequest?.respond(0);
    },
  });
}

async function codeOf(run: () => unknown): Promise<string | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return error instanceof Problem ? error.code : String(error);
  }
}

test("a body that stops, or takes more than a minute, is 408", async () => {
  vi.useFakeTimers();
  try {
    for (const [everyMs, endsAfter] of [
      [Number.POSITIVE_INFINITY, 10_000],
      [9_000, 60_000],
    ] as const) {
      const begun = Date.now();
      const pull = (controller: ReadableByteStreamController) =>
        new Promise<void>((resolve) => {
          if (everyMs > LIMIT * 100) return;
          setTimeout(() => resolve(controller.enqueue(new Uint8Array(1))), everyMs);
        });
      const drip = new ReadableStream({ type: "bytes", pull });
      const ended = codeOf(() => readBytes(request(drip), LIMIT)).then((code) => [code, Date.now() - begun]);
      await vi.advanceTimersByTimeAsync(70_000);
      expect(await ended).toEqual(["request_timeout", endsAfter]);
    }
  } finally {
    vi.useRealTimers();
  }
});

const nested = (depth: number) => JSON.parse("[".repeat(depth) + "]".repeat(depth));

describe("a body's bytes", () => {
  test("are read whole up to the limit, however they come", async () => {
    expect(await readBytes(request("x".repeat(LIMIT)), LIMIT)).toHaveLength(LIMIT);
    expect(await readBytes(request(pieces(400, 1, 599)), LIMIT)).toEqual(new Uint8Array(LIMIT).fill(120));
    expect(await readBytes(request(""), LIMIT)).toHaveLength(0);
    expect(await readBytes(new Request("https://api.example.com"), LIMIT)).toHaveLength(0);
  });

  test("are 413 past the limit, announced, in pieces, or in pieces that announce less", async () => {
    const bodies = [
      request("x".repeat(LIMIT + 1)),
      request(pieces(LIMIT, 1)),
      request(pieces(LIMIT, 1), { "Content-Length": "10" }),
      request(pieces(10), { "Content-Length": String(LIMIT + 1) }),
    ];
    for (const body of bodies) expect(await codeOf(() => readBytes(body, LIMIT))).toBe("payload_too_large");
  });

  test("are not read on once the limit is passed", async () => {
    let pulled = 0;
    const endless = new ReadableStream({
      type: "bytes",
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(600));
      },
    });
    expect(await codeOf(() => readBytes(request(endless), LIMIT))).toBe("payload_too_large");
    expect(pulled).toBeLessThan(6);
  });

  test("are UTF-8, with or without a byte order mark", async () => {
    const bytes = (...values: number[]) => new Uint8Array(values);
    expect(decodeText(bytes(0xef, 0xbb, 0xbf, 0x7b, 0x7d))).toBe("{}");
    expect(decodeText(bytes(0xe0, 0xa4, 0x85))).toBe("\u0905");
    for (const wrong of [bytes(0xff), bytes(0xc0, 0x80), bytes(0xed, 0xa0, 0x80), bytes(0xe0, 0xa4)])
      expect(await codeOf(() => decodeText(wrong))).toBe("invalid_json");
  });
});

describe("a JSON value", () => {
  test("may be 32 levels deep, no deeper", async () => {
    expect(await codeOf(() => inspectJson(nested(32)))).toBeUndefined();
    expect(await codeOf(() => inspectJson(nested(33)))).toBe("invalid_json");
    expect(await codeOf(() => inspectJson(nested(5_000)))).toBe("invalid_json");
  });

  test("may have 25,000 members, objects and arrays in all, no more", async () => {
    const wide = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));
    expect(await codeOf(() => inspectJson(wide(24_999)))).toBeUndefined();
    expect(await codeOf(() => inspectJson(wide(25_000)))).toBe("invalid_json");
    expect(await codeOf(() => inspectJson([wide(12_000), wide(12_998)]))).toBe("invalid_json");
    expect(await codeOf(() => inspectJson(Array.from({ length: 24_999 }, () => [])))).toBeUndefined();
    expect(await codeOf(() => inspectJson(Array.from({ length: 25_000 }, () => ({}))))).toBe("invalid_json");
  });

  test.each([null, 1, "text", true, [], {}, { text: "constructor", constructors: 1 }])(
    "%j is fine",
    async (value) => {
      expect(await codeOf(() => inspectJson(value))).toBeUndefined();
    },
  );
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Part, parseMultipart } from "#api/bodies/multipart.ts";
import { Upload } from "#shared/files/upload.ts";
import { Problem } from "#shared/problem.ts";

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

/** The parts of a body of one part with this Content-Disposition. */
function withDisposition(disposition: string): Part[] {
  return parseMultipart(bytesOf(`--b\r\nContent-Disposition: ${disposition}\r\n\r\nx\r\n--b--\r\n`), "b");
}

async function encoded(form: FormData): Promise<[Uint8Array<ArrayBuffer>, string]> {
  const request = new Request("http://localhost/", { method: "POST", body: form });
  const boundary = /boundary=(.*)$/.exec(request.headers.get("Content-Type") ?? "")?.[1] ?? "";
  return [new Uint8Array(await request.arrayBuffer()), boundary];
}

describe("a multipart body", () => {
  test("gives back what a client's FormData held, whatever it was", async () => {
    const name = fc
      .string({ minLength: 1, maxLength: 8, unit: "grapheme" })
      .filter((text) => !/["\\%\r\n]/.test(text));
    // Line ends are turned into CRLF by the client.
    const text = fc.string({ maxLength: 30, unit: "grapheme" }).filter((value) => !/[\r\n]/.test(value));
    const file = fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, fc.oneof(text, file)), { maxLength: 8 }), async (parts) => {
        const form = new FormData();
        for (const [key, value] of parts)
          if (typeof value === "string") form.append(key, value);
          else form.append(key, new Blob([value]), "a file.pdf");
        const [body, boundary] = await encoded(form);
        const parsed = parseMultipart(body, boundary).map(({ name: key, value }) => [
          key,
          value instanceof Upload ? [...value.bytes] : value,
        ]);
        expect(parsed).toEqual(
          parts.map(([key, value]) => [key, typeof value === "string" ? value : [...value]]),
        );
      }),
      { numRuns: 200 },
    );
  });

  test("may hold what looks almost like its boundary, stand behind a preamble, and be followed by more", () => {
    const content = "\r\n--\r\n--a--b\r\n-b\r--b\n--b";
    const headers = 'Content-Disposition: form-data; name="x"; filename="f"';
    const body = `preamble --b\r\n--b\r\n${headers}\r\n\r\n${content}\r\n--b--epilogue`;
    const [part] = parseMultipart(bytesOf(body), "b");
    expect(part?.value instanceof Upload && Buffer.from(part.value.bytes).toString()).toBe(content);
  });

  test.each([
    ['form-data; name="a \\"b\\" c"', 'a "b" c', undefined],
    ['form-data; name="a %22b%22"', 'a "b"', undefined],
    ["form-data; name=plain", "plain", undefined],
    ['FORM-DATA; NAME="x"; FILENAME="y.pdf"', "x", "y.pdf"],
    // What .NET's MultipartFormDataContent writes (dotnet/corefx#24482).
    [
      "form-data; name=resume; filename=\"=?utf-8?B?5paw5bu6LnBkZg==?=\"; filename*=utf-8''%E6%96%B0%E5%BB%BA.pdf",
      "resume",
      "新建.pdf",
    ],
    ['form-data; name=x; filename="=?utf-8?B?5paw5bu6LnBkZg==?="', "x", "新建.pdf"],
    ['form-data; name=x; filename="=?UTF-8?Q?r=C3=A9sum=C3=A9_1.pdf?="', "x", "résumé 1.pdf"],
    ['form-data; name=x; filename="=?utf-8?B?5paw?= =?utf-8?B?5bu6LnBkZg==?="', "x", "新建.pdf"],
    ['form-data; name=x; filename="=?utf-8?B?/w==?=.pdf"', "x", "=?utf-8?B?/w==?=.pdf"],
    ["form-data; name=x; filename=\"old.doc\"; filename*=UTF-8'en'new.pdf", "x", "new.pdf"],
    ['form-data; filename="; name=y"; name="x"', "x", "; name=y"],
    [`form-data; name="x"; filename="C:\\dir\\y.pdf"`, "x", "C:\\dir\\y.pdf"],
    ["form-data; name=\"x\"; filename*=UTF-8''%E0%A4%86.pdf", "x", "आ.pdf"],
    ['form-data; name="x"; filename=""', "x", ""],
    // U+2028, which ends a line to a regular expression only.
    ['form-data; name="\xe2\x80\xa8"', "\u2028", undefined],
  ])("reads %s", (disposition, name, filename) => {
    const [part] = withDisposition(disposition);
    expect(part?.name).toBe(name);
    expect(part?.value instanceof Upload ? part.value.name : undefined).toBe(filename);
  });

  test("of near matches takes no longer to read than any other", () => {
    const took = (byte: number) => {
      const body = new Uint8Array(11 * 1024 * 1024).fill(byte);
      const begun = performance.now();
      expect(() => parseMultipart(body, "b")).toThrow(Problem);
      return performance.now() - begun;
    };
    const least = (byte: number) => Math.min(...[1, 2, 3].map(() => took(byte)));
    expect(least(0x0d) / least(0x61)).toBeLessThan(10);
  });

  test("that is anything else is a 422, never a fault", () => {
    const piece = fc.constantFrom(
      "--b",
      "--b--",
      "\r\n",
      "\r\n\r\n",
      'Content-Disposition: form-data; name="x"',
      "filename*=utf-8''%E0",
      ";",
      "\0",
      "\xff",
      "x",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        try {
          for (const { name } of parseMultipart(bytesOf(pieces.join("")), "b")) expect(name).toBe("x");
        } catch (error) {
          expect(error).toBeInstanceOf(Problem);
          expect(error).toMatchObject({ status: 422 });
        }
      }),
      { numRuns: 3_000 },
    );
  });
});

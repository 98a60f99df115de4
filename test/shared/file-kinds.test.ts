import fc from "fast-check";
import { expect, test } from "vitest";
import { judgeFile } from "#shared/file-kinds.ts";
import { Upload } from "#shared/upload.ts";
import { document, KINDS } from "../support/documents.ts";

test.each(KINDS)("a %s is what it is, and nothing else", (kind) => {
  for (const other of KINDS)
    expect(judgeFile(other, document(kind)), other).toBe(kind === other ? "fits" : "other");
});

test("a document whose bytes are changed or cut is judged without a fault", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...KINDS),
      fc.array(fc.tuple(fc.nat(4_096), fc.nat(255)), { maxLength: 6 }),
      fc.nat(4_096),
      (kind, changes, length) => {
        const bytes = document(kind).slice(0, length);
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
        expect(["fits", "other", "macro"]).toContain(judgeFile(kind, bytes));
      },
    ),
    { numRuns: 2_000 },
  );
});

test("a file's safe name is fit for a path and a header, and keeps its extension, whatever it was", () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 300, unit: "binary" }),
      fc.constantFrom("pdf", "docx"),
      (text, extension) => {
        const { safeName } = new Upload(`${text}.${extension}`, new Uint8Array());
        expect(safeName).toMatch(new RegExp(`^[A-Za-z0-9_-]{1,95}\\.${extension}$`));
      },
    ),
  );
});

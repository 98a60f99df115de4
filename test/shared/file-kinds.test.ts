import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { judgeFile } from "#shared/files/file-kinds.ts";
import { asciiName, Upload } from "#shared/files/upload.ts";
import { compoundFile, document, KINDS, type Kind, listOf, typed, zip } from "../support/documents.ts";

test.each(KINDS)("a %s is what it is, and nothing else", async (kind) => {
  for (const other of KINDS)
    expect(await judgeFile(other, document(kind)), other).toBe(kind === other ? "fits" : "other");
});

const PROGRAM = new Uint8Array(Buffer.from("MZ\u0090\u0000"));
const entries = Array.from({ length: 2_000 }, (_, index) => [`word/${index}.xml`, ""]);
const claiming = zip({ "[Content_Types].xml": "", "word/document.xml": "x" });
new DataView(claiming.buffer).setUint32(
  Buffer.from(claiming).lastIndexOf("PK\x01\x02") + 24,
  101 * 1024 * 1024,
  true,
);
const nowhere = document("docx");
new DataView(nowhere.buffer).setUint32(nowhere.length - 6, 0xfffffff0, true);

test.each<[string, Kind, Uint8Array<ArrayBuffer>]>([
  ["the bytes of a program", "pdf", PROGRAM],
  ["a package without a directory", "docx", document("docx").slice(0, 60)],
  ["a package whose directory points nowhere", "docx", nowhere],
  [
    "a package with 2,001 entries",
    "docx",
    zip({ "[Content_Types].xml": "", ...Object.fromEntries(entries) }),
  ],
  ["a package that would unpack to 100 MB", "docx", claiming],
  ["a plain ZIP file", "docx", zip({ "word/document.xml": "" })],
  ["a compound file of another program", "doc", compoundFile(["Contents"])],
  ["only the beginning of a compound file", "doc", compoundFile([]).slice(0, 8)],
])("%s is no document", async (_what, kind, bytes) => {
  expect(await judgeFile(kind, bytes)).toBe("other");
});

test.each<[string, Kind, string]>([
  ["a project in capitals", "docx", "word/VBAPROJECT.BIN"],
  ["a macro-enabled document in it", "docx", "word/embeddings/Microsoft_Word.DOCM"],
  ["a project in an old document", "doc", "_VBA_PROJECT"],
])("%s is a macro", async (_what, kind, name) => {
  expect(await judgeFile(kind, document(kind, name))).toBe("macro");
});

test("a document whose bytes are changed or cut is judged without a fault", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...KINDS),
      fc.array(fc.tuple(fc.nat(4_096), fc.nat(255)), { maxLength: 6 }),
      fc.nat(4_096),
      async (kind, changes, length) => {
        const bytes = document(kind).slice(0, length);
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
        expect(["fits", "other", "macro"]).toContain(await judgeFile(kind, bytes));
      },
    ),
    { numRuns: 2_000 },
  );
});

const MACRO_TYPES = [
  "application/vnd.ms-office.vbaProject",
  "application/vnd.ms-word.document.macroEnabled.main+xml",
  "application/vnd.ms-word.template.macroEnabledTemplate.main+xml",
  "application/vnd.ms-word.vbaData+xml",
  "application/vnd.ms-excel.sheet.macroEnabled.main+xml",
  "application/vnd.ms-excel.macrosheet+xml",
  "application/vnd.ms-excel.intlmacrosheet+xml",
  "application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml",
  "APPLICATION/VND.MS-OFFICE.VBAPROJECT",
  "application/vnd.ms-office.&#118;&#x62;&#X61;Project",
];

test.each(MACRO_TYPES)("a part of the type %s is a macro, whatever it is called", async (type) => {
  for (const method of [0, 8])
    expect(await judgeFile("docx", typed("docx", { "word/harmless.xml": type }, { method }))).toBe("macro");
});

const LIST = listOf("docx", {});
/** A document with these parts beside those that each has. */
const packed = (parts: Parameters<typeof zip>[0], method = 8) =>
  zip({ "[Content_Types].xml": LIST, "word/document.xml": "x", ...parts }, "", method);
const relationship = (type: string) =>
  `<Relationships><Relationship Id="rId1" Type="http://schemas.microsoft.com/office/2006/relationships/${type}" Target="notes.dat"/></Relationships>`;

test.each([0, 8])("a project of macros is one under any name, packed by method %i", async (method) => {
  const project = compoundFile(["dir", "_VBA_PROJECT"]);
  for (const name of ["word/notes.dat", "word/media/image1.png", "word/embeddings/oleObject1.bin"])
    expect(await judgeFile("docx", packed({ [name]: project }, method)), name).toBe("macro");
  const embedded = { "word/a.bin": compoundFile(["Equation"]) };
  expect(await judgeFile("docx", packed(embedded, method))).toBe("fits");
});

test.each([0, 8])(
  "a relationship to macros is one, whatever the part is called, packed by method %i",
  async (method) => {
    const judge = (type: string, list = relationship(type)) =>
      judgeFile("docx", packed({ "word/_rels/document.xml.rels": list }, method));
    for (const type of ["vbaProject", "wordVbaData", "xlMacrosheet", "VBA&#80;roject"])
      expect(await judge(type), type).toBe("macro");
    expect(await judge("image")).toBe("fits");
    expect(await judge("", `<!DOCTYPE a [<!ENTITY b "vba">]>${relationship("&b;Project")}`)).toBe("other");
  },
);

test("the list of types is read in each notation that XML has", async () => {
  const [type = ""] = MACRO_TYPES;
  const plain = listOf("docx", { "word/a.bin": type });
  const little = Buffer.from(`\ufeff${plain.replace("UTF-8", "UTF-16")}`, "utf16le");
  for (const list of [
    plain,
    `\ufeff${plain}`,
    plain.replaceAll('"', "'"),
    plain.replaceAll("ContentType=", "ContentType\n = "),
    plain.replace("Override PartName", "x:Override PartName"),
    little,
    Buffer.from(little).swap16(),
  ])
    expect(await judgeFile("docx", typed("docx", {}, { list }))).toBe("macro");
});

test("a word in a part's name, or in its text, makes no macro", async () => {
  const parts = { "word/macroeconomics.xml": "image/png", "word/vba-notes.xml": "text/xml" };
  for (const method of [0, 8]) expect(await judgeFile("docx", typed("docx", parts, { method }))).toBe("fits");
  expect(
    await judgeFile("docx", zip({ "[Content_Types].xml": "<docx/>", "word/document.xml": "vba macro" })),
  ).toBe("fits");
});

test("a package whose list of types cannot be read for sure is none", async () => {
  const plain = listOf("docx", {});
  const contents = { "[Content_Types].xml": plain, "word/document.xml": "x" };
  const encrypted = zip(contents);
  const directory = Buffer.from(encrypted).indexOf("PK\x01\x02");
  encrypted[directory + 8] = 1;
  const unusual = zip(contents);
  unusual[directory + 10] = 12;
  for (const bytes of [
    zip({ ...contents, "[content_types].xml": plain }),
    zip({ "[content_types].xml": plain, "word/document.xml": "x" }),
    typed("docx", {}, { list: plain.replace("<Types", '<!DOCTYPE Types [<!ENTITY a "vba">]><Types') }),
    typed("docx", {}, { list: plain.replace("UTF-8", "UTF-7") }),
    typed("docx", {}, { list: Buffer.from(plain, "utf16le") }),
    typed("docx", {}, { list: `${plain}${" ".repeat(1024 * 1024)}`, method: 8 }),
    encrypted,
    unusual,
  ])
    expect(await judgeFile("docx", bytes)).toBe("other");
});

const linked = (type: string, target: string, mode = "External") =>
  `<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}" TargetMode="${mode}"/></Relationships>`;
const withLink = (list: string) => packed({ "word/_rels/settings.xml.rels": list });

test.each([
  ["attachedTemplate", "https://host.example.com/a.dotm"],
  ["attachedTemplate", "file://host.example.com/share/a.dotx"],
  ["attachedTemplate", "file:///\\\\host.example.com\\a.dotx"],
  ["oleObject", "https://host.example.com/a.xls"],
  ["frame", "https://host.example.com/a.htm"],
  ["subDocument", "https://host.example.com/a.docx"],
  ["image", "https://host.example.com/a.png"],
  ["video", "https://host.example.com/a.mp4"],
])("an %s that is loaded from elsewhere is refused, in each notation: %s", async (type, target) => {
  const list = linked(type, target);
  for (const written of [
    list,
    linked(type, target, "Exter&#110;al"),
    list.replaceAll('"', "'"),
    list.replace("<Relationship ", '<r:Relationship a=">" x-TargetMode="Internal" '),
  ])
    expect(await judgeFile("docx", withLink(written)), written).toBe("external");
});

test("a link that a reader clicks stays, and so does a template on its author's own disk", async () => {
  for (const list of [
    linked("hyperlink", "https://www.example.com/"),
    linked("image", "media/image1.png", "Internal"),
    linked("attachedTemplate", "file:///C:\\Users\\Asha\\Templates\\Resume.dotx"),
  ])
    expect(await judgeFile("docx", withLink(list)), list).toBe("fits");
});

const PLAIN = `<Types><Default Extension="png" ContentType="image/png"/><Default Extension="xml" ContentType="application/xml"/></Types>`;

test("a document of many images is taken, and an object among them is looked at under any name", async () => {
  const images = Object.fromEntries(
    Array.from({ length: 1_900 }, (_, index) => [`word/media/image${index}.png`, "x"]),
  );
  const judge = (type: string) =>
    judgeFile(
      "docx",
      packed({
        "[Content_Types].xml": PLAIN,
        "word/_rels/document.xml.rels": linked(type, "media/image1.png", "Internal"),
        ...images,
        "word/media/image1.png": compoundFile(["_VBA_PROJECT"]),
      }),
    );
  expect(await judge("image")).toBe("fits");
  expect(await judge("oleObject")).toBe("macro");
});

test("what comes out of a package is counted as it comes, whatever its directory says", async () => {
  const lists = Array.from({ length: 45 }, (_, index) => [`word/_rels/${index}.rels`, " ".repeat(1_000_000)]);
  const bytes = packed(Object.fromEntries(lists));
  const view = Buffer.from(bytes.buffer);
  for (let at = view.indexOf("PK\x01\x02"); at >= 0; at = view.indexOf("PK\x01\x02", at + 1))
    view.writeUInt32LE(1, at + 24);
  expect(await judgeFile("docx", bytes)).toBe("other");
});

test("a package of 1,900 parts that may be anything is refused unread", async () => {
  const parts = Array.from({ length: 1_900 }, (_, index) => [`word/part${index}.bin`, "x"]);
  expect(await judgeFile("docx", packed(Object.fromEntries(parts)))).toBe("other");
});

test("the judgement of a package ends with its time", async () => {
  const bytes = document("docx");
  expect(await judgeFile("docx", bytes)).toBe("fits");
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());
  expect(await judgeFile("docx", bytes)).toBe("other");
  timeout.mockRestore();
});

test("a file's names are fit for a path and for a person, and keep its extension, whatever it was", () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 300, unit: "binary" }),
      fc.constantFrom("pdf", "docx"),
      (text, extension) => {
        const name = `${text}.${extension}`;
        expect(asciiName(name)).toMatch(new RegExp(`^[A-Za-z0-9_-]{1,95}\\.${extension}$`));
        const { givenName } = new Upload(name, new Uint8Array());
        expect(givenName).toMatch(new RegExp(`^[\\p{L}\\p{M}\\p{N}\\u200c\\u200d_-]+\\.${extension}$`, "u"));
        expect(Buffer.byteLength(givenName)).toBeLessThanOrEqual(255);
      },
    ),
  );
});

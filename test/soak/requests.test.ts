import { describe, expect, test } from "vitest";
import { problemsOf } from "#api/openapi/replies.ts";
import { mayLeaveOutBody, type Operation } from "#api/operations/operation.ts";
import { Upload } from "#shared/files/upload.ts";
import { operations } from "../../src/wiring/operations.ts";
import { wrongField } from "../features/refusal.ts";
import { type Call, credentials, openBusy, openCompany } from "../support/company.ts";
import { type Answer, announce } from "../support/http.ts";
import { inTurn } from "../support/in-turn.ts";
import { bodyMembers, built, exampleBody, pathOf, wireBody } from "../support/operations.ts";
import { rowCounts } from "../support/oracles.ts";

const withBody = built.filter(({ body }) => body !== undefined);
const withRequiredBody = withBody.filter((operation) => !mayLeaveOutBody(operation));
// A wrong id of the caller's own is 422: it names no record yet.
const withId = built.filter(({ params, path }) => params !== undefined && !path.includes(":external_id"));
const paged = built.filter(({ list }) => typeof list === "function");
const lists = built.filter(({ list }) => list !== undefined);
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };
const IDS = ["0", "-1", "01", "1.5", "1e3", "9".repeat(19), "x", "%20", "%00", "__proto__"];

const company = await openBusy();

async function call(operation: Operation, options: Call = {}, path = pathOf(operation)): Promise<Answer> {
  const answer = await company.call(operation.method.toUpperCase(), path, options);
  if (answer.status >= 400) expect(problemsOf(operation)).toContain(answer.body.code);
  return answer;
}

function announceTo(operation: Operation, bytes: number, headers: Record<string, string> = {}) {
  const path = `/v1${pathOf(operation).replace(":company", company.slug)}`;
  const allHeaders = { ...credentials(company.admin), ...headers };
  return announce(bytes, path, allHeaders, operation.method.toUpperCase());
}

describe.each(withId)("$id", (operation) => {
  test("answers 404 not_found for an id that no record has, or none can have", async () => {
    const names = [...operation.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
    const ids = inTurn(operation, IDS, 3);
    const paths = ids.map((id) => pathOf(operation, Object.fromEntries(names.map((name) => [name, id]))));
    const body = operation.body && wireBody(operation, exampleBody(operation));
    for (const path of [pathOf(operation), ...paths].filter((one) => !one.includes("/booking_confirmed/"))) {
      const answer = await call(operation, { body }, path);
      expect(answer, path).toMatchObject({ status: 404, body: { code: "not_found" } });
      expect((answer.body as { resource?: unknown }).resource, path).toMatch(/^[a-z_]+$/);
    }
  });
});

const withJson = withBody.filter(({ form }) => form !== "always");
const withForm = withBody.filter(({ form }) => form !== undefined);
describe.each(withRequiredBody)("$id", (operation) => {
  test("refuses a body that names nothing, and says which fields it misses", async () => {
    const { required } = bodyMembers(operation);
    for (const body of [{}, { no_such_field: 1 }]) {
      const answer = await call(operation, { body: wireBody(operation, body) });
      expect(answer.status).toBe(422);
      const errors = answer.body.errors.filter(({ code }) => code !== "unknown_member");
      expect(errors.map(({ field }) => field)).toEqual(required.length > 0 ? required : [""]);
      if (required.length > 0) expect(errors.filter(({ code }) => code !== "required")).toEqual([]);
    }
  });

  test("refuses a body of another type, and takes one that is no JSON object, or is missing, as naming no fields", async () => {
    const nothing = await call(operation, { body: wireBody(operation, {}) });
    const others: Call[] = [
      { body: "name=Meera&state=Karnataka&pincode=560001", headers: FORM },
      { body: JSON.stringify({ name: "Meera" }), headers: { "Content-Type": "text/plain" } },
    ];
    for (const other of others) {
      const answer = await call(operation, other);
      if (operation.path.startsWith("/projects/"))
        expect([answer.status, answer.body.errors]).toEqual([422, nothing.body.errors]);
      else expect(answer).toMatchObject({ status: 415, body: { code: "unsupported_media_type" } });
    }
    for (const body of ["null", "[]", '"text"', "7"])
      expect((await call(operation, { body })).status).toBe(operation.form === "always" ? 415 : 422);
    expect((await call(operation)).body.errors).toEqual(nothing.body.errors);
    const { code } = (await call(operation, { body: "" })).body;
    expect(code).toBe(operation.form === "always" ? "validation_failed" : "invalid_json");
  });
});

// A lead is not lost for what stands beside its name: features/leads/mended.test.ts.
describe.each(withBody.filter(({ id }) => id !== "captureLead"))("$id", (operation) => {
  test("refuses each field of a wrong type by its name", async () => {
    // The fields of a form are texts, so there a file is what a text is not.
    const wrong = operation.form === "always" ? new Upload("x.pdf", new Uint8Array(1)) : [[]];
    for (const member of bodyMembers(operation).all) {
      const answer = await call(operation, { body: wireBody(operation, { [member]: wrong }) });
      const fields = answer.body.errors.map(({ field }) => field.replace(/\[.*/, ""));
      expect(answer.status).toBe(422);
      expect(fields, member).toContain(member);
    }
  });
});

describe.each(withJson)("$id", (operation) => {
  test("answers a body too large 413", async () => {
    const large = await announceTo(operation, (operation.bodyLimit ?? 256 * 1024) + 1);
    expect(large).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
  });
});

describe.each(withBody.filter((operation) => !withRequiredBody.includes(operation)))("$id", (operation) => {
  test("takes a body that is empty, or missing, as one that names nothing", async () => {
    const nothing = await call(operation, { body: operation.bodyLeftOut ?? {} });
    for (const answer of [await call(operation, { body: "" }), await call(operation)])
      expect([answer.status, answer.body.code]).toEqual([nothing.status, nothing.body.code]);
  });
});

describe.each(withForm)("$id", (operation) => {
  const part = 'Content-Disposition: form-data; name="x"';
  const type = "multipart/form-data; boundary=b";

  test.each([
    ["no boundary", "multipart/form-data", "--b--\r\n"],
    ["an empty boundary", "multipart/form-data; boundary=", "--b--\r\n"],
    [
      "another boundary than it names",
      "multipart/form-data; boundary=c",
      `--b\r\n${part}\r\n\r\n1\r\n--b--\r\n`,
    ],
    ["nothing in it", type, ""],
    ["no end", type, `--b\r\n${part}\r\n\r\n1`],
    ["its end cut off", type, `--b\r\n${part}\r\n\r\n1\r\n--b`],
    ["a part without headers", type, "--b\r\n\r\n1\r\n--b--\r\n"],
    ["a part without a name", type, "--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n--b--\r\n"],
    ["a part of another kind", type, "--b\r\nContent-Type: text/plain\r\n\r\n1\r\n--b--\r\n"],
    ["headers without end", type, `--b\r\n${part}; ${"x".repeat(9_000)}\r\n\r\n1\r\n--b--\r\n`],
    ["65 parts", type, `${`--b\r\n${part}\r\n\r\n1\r\n`.repeat(65)}--b--\r\n`],
  ])("answers a form that has %s with 422", async (_, contentType, body) => {
    const answer = await call(operation, { body, headers: { "Content-Type": contentType } });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ code: "invalid_multipart" }] } });
  });

  test("answers a text that is not UTF-8 with 422, and a name that only an attack sends", async () => {
    const [before = "", after = ""] = `--b\r\n${part}\r\n\r\n|\r\n--b--\r\n`.split("|");
    const bytes = Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xfe]), Buffer.from(after)]);
    const answer = await call(operation, { body: bytes, headers: { "Content-Type": type } });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ code: "invalid_multipart" }] } });
    for (const name of ["__proto__", "constructor", "prototype"]) {
      const form = new FormData();
      form.append(name, "1");
      const refused = await call(operation, { body: form });
      expect(refused).toMatchObject(wrongField(name, "forbidden_name"));
    }
  });

  test("answers a body of more than 11 MiB with 413", async () => {
    const large = await announceTo(operation, 11 * 1024 * 1024 + 1, { "Content-Type": type });
    expect(large).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
  });
});

describe.each(paged)("$id", (operation) => {
  test.each([
    ["limit=0", "invalid_limit"],
    ["limit=101", "invalid_limit"],
    ["limit=abc", "invalid_limit"],
    ["limit=1e1", "invalid_limit"],
    ["limit=-1", "invalid_limit"],
    ["limit=", "invalid_limit"],
    ["limit=1.5", "invalid_limit"],
    ["limit=0&limit=5", "invalid_limit"],
    ["page=2", "unsupported_parameter"],
    ["offset=25", "unsupported_parameter"],
    ["cursor=x", "invalid_cursor"],
    ["cursor=", "invalid_cursor"],
    ["cursor=a.b.c", "invalid_cursor"],
  ])("answers ?%s with 422 %s", async (query, code) => {
    const answer = await call(operation, {}, `${pathOf(operation)}?${query}`);
    expect(answer).toMatchObject({ status: 422, body: { code } });
    if (query.startsWith("limit")) expect(answer.body.message).toBe("limit must be an integer from 1 to 100");
  });

  test("answers a cursor of 3,000 characters with 422", async () => {
    const answer = await call(operation, {}, `${pathOf(operation)}?cursor=${"a".repeat(3_000)}`);
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field: "cursor", code: "too_big" }] } });
  });

  test("takes the limits 1 and 100", async () => {
    // A list under a record comes to look for that record, which is not there.
    const taken = operation.params === undefined ? 200 : 404;
    for (const limit of [1, 100])
      expect((await call(operation, {}, `${pathOf(operation)}?limit=${limit}`)).status).toBe(taken);
  });
});

const strictLists = lists.filter(({ path }) => !path.startsWith("/schools/"));
const lenientLists = lists.filter((operation) => !strictLists.includes(operation));

describe.each(strictLists)("$id", (operation) => {
  test("answers a parameter that it does not know with 422, naming the nearest one it knows", async () => {
    const answer = await call(operation, {}, `${pathOf(operation)}?limt=5&x_status=new`);
    expect(answer).toMatchObject({ status: 422, body: { code: "unknown_parameter" } });
    expect(answer.body.errors.map(({ field, code }) => [field, code])).toEqual([
      ["limt", "unknown_parameter"],
      ["x_status", "unknown_parameter"],
    ]);
    expect(answer.body.message).toBe("limt is not a parameter of this operation: the nearest is limit");
  });

  test("ignores what tag managers add, and takes limit and cursor as every list does", async () => {
    const path = `${pathOf(operation)}?utm_source=mail&_ga=1&limit=5`;
    const needed = operation.query?.safeParse({ limit: "5" }).success === false;
    expect((await call(operation, {}, path)).status).toBe(
      needed ? 422 : operation.params === undefined ? 200 : 404,
    );
  });
});

describe.each(lenientLists)("$id", (operation) => {
  test("ignores what it does not know, for browsers add names of their own", async () => {
    const answers = ["", "?gclid=1&fbclid=2"].map((query) => call(operation, {}, pathOf(operation) + query));
    const [plain, more] = await Promise.all(answers);
    expect(more).toMatchObject({ status: plain?.status });
    expect(more?.body.code).toBe(plain?.body.code);
  });
});

describe.each(operations.filter(({ planned }) => planned === true))("$id", (operation) => {
  test("is planned: 405 with the methods that are there, whatever the body", async () => {
    for (const body of [{}, "{"]) {
      const answer = await call(operation, { body });
      expect(answer).toMatchObject({ status: 405, body: { code: "operation_not_available" } });
      expect(answer.headers.get("Allow")).toBe("GET");
    }
  });
});

test("nothing of all this was written, but that an example was previewed", async () => {
  const counts = await rowCounts(await openCompany());
  const previews = "SELECT 1 FROM audit_log WHERE action LIKE 'preview%'";
  const { length } = (await company.database().execute(previews)).rows;
  const written = await rowCounts(company);
  // The first own id draws the company's key of hashes, whatever becomes of its call.
  const { mark_key } = written;
  expect(written).toEqual({ ...counts, mark_key, audit_log: length, operations: length });
});

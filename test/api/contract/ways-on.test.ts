import { expect, inject, test } from "vitest";
import { problemsOf } from "#api/openapi/replies.ts";
import { ERROR_HELP, helpOn } from "#api/pages/error-help.ts";
import { PROBLEMS, type ProblemCode } from "#shared/problem.ts";
import { operations, platformOperations } from "../../../src/wiring/operations.ts";
import { refusal } from "../../features/refusal.ts";
import { openCompany } from "../../support/company.ts";

const at = (path: string, init?: RequestInit) => fetch(`${inject("service").url}${path}`, init);

test("the root of the host is a small page whose every link answers", async () => {
  const answer = await at("/");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  const page = await answer.text();
  expect(page.length).toBeLessThan(4_000);
  const links = [...page.matchAll(/href="(\/[^"]*)"/g)].map(([, link = ""]) => link);
  expect(links).toEqual([
    "/docs",
    "/docs/guides",
    "/llms.txt",
    "/v1/openapi.json",
    "/v1/openapi-3.0.json",
    "/health",
  ]);
  for (const link of links) expect((await at(link)).status, link).toBe(200);
});

test("a guide that is served names the address of its own service", async () => {
  const guide = await (await at("/docs/guides/first-invoice.md")).text();
  expect(guide).toContain("/v1");
  expect(guide).not.toContain("localhost:8787");
});

test.each(["openapi", "openapi-3.0"])(
  "the servers of %s.json are the deployment's own addresses",
  async (name) => {
    const { url } = inject("service");
    for (const base of ["/v1", "/api/v1"]) {
      const answer = await at(`${base}/${name}.json`);
      expect(answer.headers.get("Content-Type")).toBe("application/json");
      const { servers, paths } = JSON.parse(await answer.text());
      expect(servers).toMatchObject([{ url: `${url}/v1` }, { url: `${url}/api/v1` }]);
      expect(paths["/health"].get.servers).toMatchObject([{ url }]);
    }
  },
);

test.each(Object.keys(PROBLEMS) as ProblemCode[])(
  "the type of the error %s is an address that answers",
  async (code) => {
    const answer = await at(`/errors/${code}`);
    expect(answer.status).toBe(200);
    const page = await answer.text();
    expect(page).toContain(code);
    expect(page).toContain(`${PROBLEMS[code][0]}`);
    const { cause, cure } = helpOn(code);
    const text = page.replaceAll("&#39;", "'").replaceAll("&quot;", '"').replaceAll("&gt;", ">");
    expect(text).toContain(cause);
    expect(text).toContain(cure);
    expect(text).toContain(`"code": "${code}"`);
  },
);

test("each code has help of its own, in one row of docs/errors.md, and no help is of a code that is gone", () => {
  const helped = ERROR_HELP.map(({ code }) => code);
  expect(helped.toSorted()).toEqual(Object.keys(PROBLEMS).toSorted());
  for (const member of ["cause", "cure"] as const)
    expect(new Set(ERROR_HELP.map((help) => help[member])).size).toBe(helped.length);
});

test("each code can be answered: by an operation, or where no operation is", () => {
  const elsewhere = ["method_not_allowed", "invalid_signature", "route_not_found"];
  const answered = new Set<string>([...operations, ...platformOperations].flatMap(problemsOf));
  expect(Object.keys(PROBLEMS).filter((code) => !answered.has(code) && !elsewhere.includes(code))).toEqual(
    [],
  );
});

test("an error's type is the address of its code on this very host", async () => {
  const company = await openCompany();
  const { body } = await company.call("GET", "/customers/:company?nme=x");
  const { type } = body as unknown as { type: string };
  expect(new URL(type).pathname).toBe("/errors/unknown_parameter");
});

test("a browser gets a list of all codes, and for another code a page that leads to it; a client gets JSON", async () => {
  const asked = (path: string, accept: string) => at(path, { headers: { Accept: accept } });
  const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  const list = await asked("/errors", browser);
  expect(list.status).toBe(200);
  expect(list.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  const links = [...(await list.text()).matchAll(/href="\/errors\/([^"]*)"/g)].map(([, code]) => code);
  expect(links).toEqual(Object.keys(PROBLEMS));
  const unknown = await asked("/errors/no_such_code", browser);
  expect(unknown.status).toBe(404);
  expect(await unknown.text()).toContain('href="/errors"');
  expect(await (await asked("/errors/not_found", browser)).text()).toContain('href="/errors"');

  const data = await asked("/errors", "*/*");
  expect(data.status).toBe(200);
  expect(data.headers.get("Vary")).toBe("Accept");
  const codes = ((await data.json()) as { data: { code: ProblemCode; url: string }[] }).data;
  expect(codes.map(({ code }) => code)).toEqual(Object.keys(PROBLEMS));
  for (const { code, url } of codes) expect(new URL(url).pathname).toBe(`/errors/${code}`);
  const other = await asked("/errors/no_such_code", "*/*");
  expect(other.status).toBe(404);
  expect(await other.json()).toMatchObject({ code: "route_not_found" });
});

test("a browser that asks for a page the reference has not gets one that leads to it; a client gets JSON", async () => {
  const asked = (accept: string) => at("/docs/nosuch", { headers: { Accept: accept } });
  const page = await asked("text/html,*/*;q=0.8");
  expect(page.status).toBe(404);
  expect(page.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  expect(await page.text()).toContain('href="/docs"');
  const answer = await asked("*/*");
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ code: "route_not_found" });
});

test("an error repeats at most 100 characters of a name that its client made up", async () => {
  const company = await openCompany();
  const name = "p".repeat(3_000);
  const custom = { name: "Priya", transmission: "auto", schedule: [], custom_fields: { [name]: "x" } };
  const answers = [
    await company.call("GET", `/customers/:company?${name}=1`),
    await company.call("POST", "/refunds/:company", { body: { capture_id: "1", [name]: 1 } }),
    await company.call("POST", "/settings/:company/instructors", { body: custom }),
  ];
  for (const { status, body } of answers) {
    expect(status).toBe(422);
    expect(body.message.length).toBeLessThan(400);
    for (const { field } of body.errors) expect(field.length).toBeLessThan(120);
  }
});

test("a call with thousands of faults is answered with 20 of them, and how many there are", async () => {
  const company = await openCompany();
  const names = Array.from({ length: 1_000 }, (_, index) => `p${index}`);
  const query = await company.call("GET", `/customers/:company?${names.join("=&")}=`);
  expect(query).toMatchObject({ status: 422, body: { code: "unknown_parameter", error_count: 1_000 } });
  const items = Array.from({ length: 50 }, () => ({ quantity: -1 }));
  const fields = await company.call("POST", "/invoices/:company", { body: { customer_id: 1, items } });
  expect(fields.status).toBe(422);
  for (const { body } of [query, fields]) {
    const { errors } = body as unknown as { errors: unknown[] };
    expect(errors).toHaveLength(20);
    expect(JSON.stringify(body).length).toBeLessThan(20_000);
  }
  expect((fields.body as unknown as { error_count: number }).error_count).toBeGreaterThan(50);
  const few = await company.call("GET", "/customers/:company?one=1&two=2");
  expect(few.body).not.toHaveProperty("error_count");
});

test("a list refuses the parameter __proto__ as any other that it does not have", async () => {
  const company = await openCompany();
  const answer = await company.call("GET", "/customers/:company?__proto__=1");
  expect(answer).toMatchObject(refusal(422, "unknown_parameter", { errors: [{ field: "__proto__" }] }));
});

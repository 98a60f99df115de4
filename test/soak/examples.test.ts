import { describe, expect, it } from "vitest";
import type { ShownDocument } from "../../src/sandbox/server/reference.ts";
import { ELSEWHERE, LAST, MADE_BY } from "../examples/places.ts";
import { place, readCredentials, start, usePlace } from "./started.ts";

type Filled = {
  content: ShownDocument;
  securitySchemes: Record<string, { value?: string; token?: string }>;
};
type Operation = ShownDocument["paths"][string][string] & { operationId: string };
type Parameter = { name: string; in: string; example?: string; schema: { enum?: string[] } };
type Answer = { status: number; body: Record<string, unknown> };

/** What cannot be sent to the demo companies as it stands, besides what they do not have. */
const NEEDS: Record<string, string> = {
  ...ELSEWHERE,
  updateInvoice: "is planned",
  updateInbound: "a message that a customer wrote to the company",
  useSpareDatabase: "a database that an operator restored into",
  adoptDatabase: "the digest of what the database said when it was read",
};

await usePlace();

describe("the reference page of npm start", { timeout: 300_000 }, () => {
  it("has an example for every operation with a body that the demo companies take as it stands", async () => {
    const { child } = await start();
    const { base_url: base } = await readCredentials();
    const host = `http://localhost:${place.port}`;
    const { content, securitySchemes }: Filled = await (await fetch(`${host}/docs/demo.json`)).json();
    const made = new Map<string, Answer>();
    const refused: string[] = [];
    const all = Object.entries(content.paths).flatMap(([path, operations]) =>
      Object.entries(operations as Record<string, Operation>).map(([method, operation]) => ({
        ...{ path, method, operation, id: operation.operationId },
      })),
    );
    const sent = all.filter(({ operation }) => operation.requestBody !== undefined);
    expect(sent.length).toBeGreaterThan(110);
    const later = ({ id }: (typeof sent)[number]) => LAST.indexOf(id);
    for (const { path, method, operation, id } of sent.toSorted((one, other) => later(one) - later(other))) {
      if (id in NEEDS) continue;
      const [maker = "", member] = (MADE_BY[id] ?? "").split(".");
      const address = filledPath(path, content, operation, { body: made.get(maker)?.body, member });
      const root = path.startsWith("/platform") ? host : base;
      const answer = await fetch(root + address, {
        method: method.toUpperCase(),
        ...sentBody(operation),
        headers: { ...sentBody(operation).headers, ...keyOf(operation, content, securitySchemes) },
      });
      const body: Record<string, unknown> = JSON.parse(await answer.text());
      made.set(id, { status: answer.status, body });
      if (!answer.ok) refused.push(`${id} ${address}: ${answer.status} ${body.message}`);
    }
    expect(refused).toEqual([]);
    child.kill("SIGINT");
  });
});

/** The address with what its parameters show as examples, or with what another example made. */
function filledPath(
  path: string,
  { components }: ShownDocument,
  { parameters = [] }: Operation,
  { body: made, member }: { body: Record<string, unknown> | undefined; member: string | undefined },
): string {
  const known = parameters.map((one) =>
    "$ref" in one ? components.parameters[one.$ref.split("/").at(-1) ?? ""] : one,
  ) as Parameter[];
  const record = (made?.booking ?? made?.data) as Record<string, unknown> | undefined;
  const last = path.match(/\{\w+\}/g)?.at(-1);
  return path.replace(/\{(\w+)\}/g, (place, name: string) => {
    const { example } = known.find((one) => one.in === "path" && one.name === name) ?? {};
    const id = place === last ? record?.id : undefined;
    return String((name === "company" ? undefined : (record?.[member ?? name] ?? id)) ?? example);
  });
}

/** The body in the first form that the operation takes; of a file the name stands in the example. */
function sentBody({ requestBody }: Operation): { body: FormData | string; headers: Record<string, string> } {
  const [[type = "", { example = {} } = {}] = []] = Object.entries(requestBody?.content ?? {});
  if (type === "application/json")
    return { body: JSON.stringify(example), headers: { "Content-Type": type } };
  const form = new FormData();
  for (const [name, value] of Object.entries(example as Record<string, string>))
    if (name === "resume") form.append(name, new Blob(["%PDF-1.7\n%%EOF\n"]), value);
    else form.append(name, value);
  return { body: form, headers: {} };
}

/** The headers of the first way to sign that the operation names, with the values that the page has for it. */
function keyOf(
  { security = [] }: Operation,
  { components }: ShownDocument,
  values: Filled["securitySchemes"],
): Record<string, string> {
  return Object.fromEntries(
    Object.keys(security[0] ?? {}).map((name) => {
      const { name: header = "", type } = components.securitySchemes[name] ?? {};
      const { value = "", token } = values[name] ?? {};
      return type === "http" ? ["Authorization", `Bearer ${token}`] : [header, value];
    }),
  );
}

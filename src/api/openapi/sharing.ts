import type { Parameter } from "./parameters.ts";

type Inline = Exclude<Parameter, { $ref: string }>;

/** Makes each parameter that several operations have a component, refers to it from them, and returns the components. */
export function shareParameters(operations: readonly { parameters: Parameter[] }[]): Record<string, Inline> {
  const inline = operations.flatMap(({ parameters }) => parameters.filter(isInline));
  const shared: Record<string, Inline> = {};
  const references = new Map<string, string>();
  for (const [text, equal] of Map.groupBy(inline, (one) => JSON.stringify(one))) {
    const [parameter] = equal;
    if (parameter === undefined || equal.length === 1) continue;
    const name = freeName(parameter, shared);
    shared[name] = parameter;
    references.set(text, `#/components/parameters/${name}`);
  }
  for (const operation of operations)
    operation.parameters = operation.parameters.map((one) => {
      const $ref = references.get(JSON.stringify(one));
      return $ref === undefined ? one : { $ref };
    });
  return shared;
}

function isInline(parameter: Parameter): parameter is Inline {
  return !("$ref" in parameter);
}

/** The parameter's name; with a number where another meaning of it has that already. */
function freeName({ name }: Inline, taken: Readonly<Record<string, unknown>>): string {
  const plain = name.replaceAll(/[^\w.-]/g, "_");
  const numbered = [plain, ...Array.from({ length: 50 }, (_, index) => `${plain}_${index + 2}`)];
  return numbered.find((one) => !(one in taken)) ?? plain;
}

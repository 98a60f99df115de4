import type { OpenApiDocument } from "#api/openapi/document.ts";

type Json = { [name: string]: unknown };

const PROBLEM = {
  description: "An error.",
  content: { "application/json": { schema: { $ref: "#/components/schemas/Problem" } } },
};

/**
 * What of the API document a typed client needs: no webhooks, no planned operations, no headers of replies, no examples of
 * bodies and parameters, each error as a `Problem`, and the components that are used then.
 */
export function clientView({ openapi, info, servers, paths, components }: OpenApiDocument): Json {
  const lean = mapValues(paths, (path) => {
    const available = Object.entries(path).filter(([, operation]) => operation["x-status"] === "available");
    return mapValues(Object.fromEntries(available), ({ responses, requestBody, ...operation }) => ({
      ...operation,
      ...(requestBody && { requestBody: { ...requestBody, content: withoutExamples(requestBody.content) } }),
      responses: leanReplies(responses),
    }));
  });
  const parameters = withoutExamples(components.parameters as Record<string, object>);
  return { openapi, info, servers, paths: lean, components: usedOf({ ...components, parameters }, lean) };
}

/** The replies of success without their headers, and one for all others. */
function leanReplies(responses: Record<string, object>): Json {
  const succeeded = Object.entries(responses).filter(([status]) => status < "4");
  return {
    ...mapValues(Object.fromEntries(succeeded), (reply) => ({ ...reply, headers: undefined })),
    default: PROBLEM,
  };
}

function withoutExamples(content: Record<string, object>): Json {
  return mapValues(content, (media) => ({ ...media, example: undefined }));
}

/** The components that values refer to, and those that these refer to. */
export function usedOf(components: Json, ...values: unknown[]): Json {
  const used: Record<string, Json> = {};
  const open = values;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    for (const [, kind = "", name = ""] of JSON.stringify(value).matchAll(
      /"#\/components\/(\w+)\/([^"]+)"/g,
    )) {
      used[kind] ??= {};
      if (name in used[kind]) continue;
      const component = (components[kind] as Json)[name];
      used[kind][name] = component;
      open.push(component);
    }
  }
  return used;
}

function mapValues<Value>(object: Readonly<Record<string, Value>>, change: (value: Value) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}

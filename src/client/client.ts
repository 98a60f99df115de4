import createFetchClient, { type Client, type MaybeOptionalInit, type MethodResponse } from "openapi-fetch";
import type { HttpMethod, PathsWithMethod } from "openapi-typescript-helpers";
import { ApiError } from "./errors.ts";
import { sendAgain } from "./retry.ts";
import type { paths } from "./types.d.ts";

const TIME_LIMIT_MS = 60_000;

type Key = { clientId: string; clientSecret: string } | { publishableKey: string };

export type CompanyClientOptions = Key & {
  /** The API's address with its version, `https://api.example.com/v1`. */
  baseUrl: string;
  /** Milliseconds after which a call ends, with all its attempts; 60,000 unless you say another. */
  timeLimit?: number;
  /** Sends a request in place of the platform's `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
};

type Init<Path extends keyof paths, Method extends HttpMethod> = MaybeOptionalInit<
  paths[Path],
  Method & keyof paths[Path]
>;
// A call with nothing to say but its path has no second argument.
type Rest<Options> = Record<never, never> extends Options ? [init?: Options] : [init: Options];
type Answer<
  Path extends PathsWithMethod<paths, Method>,
  Method extends HttpMethod,
  Options = object,
> = MethodResponse<Client<paths>, Method, Path, Options>;
type Item<Path extends PathsWithMethod<paths, "get">> =
  Answer<Path, "get"> extends { data: (infer Each)[]; paging: unknown } ? Each : never;

/** Answers with the body of a success. Throws an `ApiError` for any other answer, a `NoAnswerError` where none came. */
type Call<Method extends HttpMethod> = <
  Path extends PathsWithMethod<paths, Method>,
  Options extends Init<Path, Method>,
>(
  path: Path,
  ...init: Rest<Options>
) => Promise<Answer<Path, Method, Options>>;

export type CompanyClient = {
  get: Call<"get">;
  post: Call<"post">;
  put: Call<"put">;
  patch: Call<"patch">;
  delete: Call<"delete">;
  /** All records of a list, page after page, as you go through them: `for await (const invoice of api.list(...))`. */
  list<Path extends PathsWithMethod<paths, "get">, Options extends Init<Path, "get">>(
    path: Path,
    ...init: Rest<Options>
  ): AsyncIterable<Item<Path>>;
};

type UntypedInit = { params?: { query?: Record<string, unknown> } };
type Page = { data: unknown[]; paging: { next_cursor: string | null } };

/** A client of the API, by a secret key, or in browsers by a publishable key. */
export function createCompanyClient(options: CompanyClientOptions): CompanyClient {
  const { baseUrl, timeLimit = TIME_LIMIT_MS } = options;
  const send = options.fetch ?? ((request: Request) => fetch(request, { signal: request.signal }));
  const client = createFetchClient<paths>({
    baseUrl,
    headers: headersOf(options),
    bodySerializer: (body) => formOf(body) ?? JSON.stringify(body),
    fetch: sendAgain(send, timeLimit),
  });

  async function call(method: HttpMethod, path: string, init: UntypedInit = {}): Promise<unknown> {
    const { data, error, response } = await client.request(method, path as never, init as never);
    if (!response.ok) throw new ApiError(response, error);
    return data;
  }

  async function* list(path: string, init: UntypedInit = {}): AsyncGenerator<unknown> {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { ...init.params?.query, ...(cursor && { cursor }) };
      const page = (await call("get", path, { ...init, params: { ...init.params, query } })) as Page;
      yield* page.data;
      cursor = page.paging.next_cursor;
    }
  }

  const by = (method: HttpMethod) => (path: string, init?: UntypedInit) => call(method, path, init);
  const methods = {
    get: by("get"),
    post: by("post"),
    put: by("put"),
    patch: by("patch"),
    delete: by("delete"),
  };
  return { ...methods, list } as unknown as CompanyClient;
}

/** The form that a body with a file is sent as; undefined of any other body, and the body itself where it is a form. */
function formOf(body: unknown): FormData | undefined {
  if (body instanceof FormData) return body;
  const members = Object.entries(Object(body)).filter(([, value]) => value !== undefined);
  if (!members.some(([, value]) => value instanceof Blob)) return undefined;
  const form = new FormData();
  for (const [name, value] of members) form.append(name, value instanceof Blob ? value : String(value));
  return form;
}

function headersOf(key: Key): Record<string, string> {
  if ("publishableKey" in key) return { "X-Client-Id": key.publishableKey };
  return { "X-Client-Id": key.clientId, "X-Client-Secret": key.clientSecret };
}

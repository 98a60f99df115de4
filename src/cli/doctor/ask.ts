import { parsed } from "#shared/json.ts";
import { LOG, Wrong } from "./report.ts";

export type Answer = {
  status: number;
  headers: Headers;
  text: string;
  /** The JSON of the answer; an empty object where it is none. */
  body: Record<string, unknown>;
};
/** The service that is checked, and what its operator may. */
export type Target = { base: string; headers: Record<string, string> };
export type Ask = { headers?: Record<string, string>; body?: unknown; signal: AbortSignal };

const MOST_SHOWN = 200;

/** One request and its answer, whatever its status. Throws `Wrong` with the remedy when none comes before the signal. */
export async function ask(
  method: string,
  url: URL,
  remedy: string,
  { headers = {}, body, signal }: Ask,
): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: "manual",
      signal,
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: Object(parsed(text)) };
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === "ENOTFOUND")
      throw new Wrong(
        `the name ${url.hostname} does not resolve (ENOTFOUND)`,
        "is it right, and in DNS, a wildcard too?",
      );
    throw new Wrong(`${url.origin} does not answer (${reason})`, remedy);
  }
}

/** What a platform operation answers. Throws `Wrong` with the remedy where it does not succeed. */
export async function askPlatform<Data>(
  { base, headers }: Target,
  method: string,
  path: string,
  { signal, remedy = LOG }: { signal: AbortSignal; remedy?: string },
): Promise<Data> {
  const answer = await ask(method, new URL(path, base), remedy, { headers, signal });
  return dataOf<Data>(expectStatus(answer, 200, remedy));
}

/** The error of an answer, as a line says it. */
export function problemOf({ status, body, text }: Answer): string {
  const { code, message, request_id: id } = body;
  if (typeof code !== "string") return `it answered ${status} ${text.slice(0, MOST_SHOWN)}`.trimEnd();
  return `it answered ${status} ${code}, ${message} (${id})`;
}

/** The answer, when it has the status; else throws `Wrong` with the remedy. */
export function expectStatus(answer: Answer, status: number, remedy: string): Answer {
  if (answer.status === status) return answer;
  throw new Wrong(problemOf(answer), remedy);
}

/** The member `data` of an answer's body. */
export function dataOf<Data>({ body }: Answer): Data {
  return body.data as Data;
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  const { code } = Object(cause) as { code?: unknown };
  return typeof code === "string" ? code : message;
}

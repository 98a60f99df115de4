import { html } from "hono/html";
import { PROBLEMS, type ProblemCode } from "#shared/problem.ts";

const STYLE =
  "body{font:16px/1.6 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 16px}code{font:.9em ui-monospace,monospace;overflow-wrap:anywhere}dd{margin:0 0 .75rem}:root{color-scheme:light dark}";

const page = (title: string, content: unknown) => {
  const whole = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        <style>{STYLE}</style>
      </head>
      <body>{content}</body>
    </html>
  );
  return html`<!DOCTYPE html>${whole}`;
};

/** What stands at the root of the host: where it goes on from here. */
export function frontPage(origin: string): string | Promise<string> {
  return page(
    "Company Operations API",
    <main>
      <h1>Company Operations API</h1>
      <dl>
        <dt>
          <a href="/docs">Reference</a>
        </dt>
        <dd>every operation, its fields and its errors, with examples to copy</dd>
        <dt>
          <code>{`${origin}/v1`}</code>
        </dt>
        <dd>
          the base address; <code>{`${origin}/api/v1`}</code> serves the same
        </dd>
        <dt>
          <a href="/v1/openapi.json">OpenAPI document</a>
        </dt>
        <dd>for clients and tools</dd>
        <dt>
          <a href="/health">Health</a>
        </dt>
        <dd>whether the service answers</dd>
      </dl>
    </main>,
  );
}

/** What stands at the address that an error has for its type. */
export function errorPage(code: ProblemCode): string | Promise<string> {
  const [status, title] = PROBLEMS[code];
  return page(
    `${title} (${code})`,
    <main>
      <h1>{title}</h1>
      <p>
        <code>{code}</code>, most often with status {status}.
      </p>
      <p>{adviceOn(code, status)}</p>
      <p>
        The <a href="/docs">reference</a> says at each operation which errors it can answer.
      </p>
    </main>,
  );
}

const ADVICE: Partial<Record<ProblemCode, string>> = {
  outcome_unknown:
    "Send the call again with the same Idempotency-Key: it is done once, however often it is sent.",
  unavailable: "Nothing was done. Try again after the seconds of Retry-After.",
  internal_error: "The fault is ours. Its log line is found by the request_id of the answer.",
  unknown_parameter: "The message names the nearest parameter that the list has.",
  unknown_member:
    "The message names the member that was nearly written. Other unknown members are ignored; the header X-Ignored-Members lists them.",
  unsupported_media_type:
    "Send JSON with the header Content-Type: application/json, or the form that the message names.",
};
const BY_STATUS: Record<number, string> = {
  400: "The request itself cannot be used as it was sent: its message says why.",
  401: "The credentials of the call are not those of a key that may make it.",
  403: "The key is known and may not do this.",
  404: "There is no such thing under this company; resource names what is missing.",
  405: "The header Allow lists the methods that the address answers.",
  409: "What is stored now does not allow this; the message says what stands against it.",
  413: "The message says how large a body may be.",
  415: "The message says which Content-Type the operation reads.",
  422: "The fields in errors were refused; each has a code of its own and help.",
  429: "Try again after the seconds of Retry-After.",
};

function adviceOn(code: ProblemCode, status: number): string {
  return ADVICE[code] ?? BY_STATUS[status] ?? "";
}

import { ERROR_HELP, type Help } from "#api/error-help/index.ts";
import { problemBody } from "#api/replies/errors.ts";
import { PROBLEMS, Problem, type ProblemCode } from "#shared/problem.ts";
import { smallPage } from "./front-page.tsx";

const REQUEST_ID = "req_01KAJ0V5Y3Q8R6N2T4W7X9Z1BC";

/** What stands at the address that an error has for its type: why it comes, what to do, and an answer with it. */
export function errorPage(code: ProblemCode, origin: string): string | Promise<string> {
  const [status, title] = PROBLEMS[code];
  const { cause, cure, ...details }: Help = ERROR_HELP[code];
  const example = problemBody(new Problem(code, details), { requestId: REQUEST_ID, origin });
  return smallPage(
    `${title} (${code})`,
    <main>
      <h1>{title}</h1>
      <p>
        <code>{code}</code>, most often with status {status}.
      </p>
      <h2>Why it comes</h2>
      <p>{cause}</p>
      <h2>What to do</h2>
      <p>{cure}</p>
      <h2>An answer with it</h2>
      <pre tabindex={0}>
        <code>{JSON.stringify(example, null, 2)}</code>
      </pre>
      <p>
        The <a href="/docs">reference</a> says at each operation which errors it can answer.
      </p>
    </main>,
  );
}

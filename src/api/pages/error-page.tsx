import { problemBody } from "#api/replies/errors.ts";
import { PROBLEMS, type ProblemCode } from "#shared/problem.ts";
import { helpOn } from "./error-help.ts";
import { documentPage } from "./front-page.tsx";

const REQUEST_ID = "req_01KAJ0V5Y3Q8R6N2T4W7X9Z1BC";

/** All codes, each with the way to its own page. */
export function errorsPage(): string | Promise<string> {
  return documentPage(
    "Error codes",
    <main>
      <h1>Error codes</h1>
      <dl>
        {Object.entries(PROBLEMS).map(([code, [status, title]]) => (
          <>
            <dt>
              <a href={`/errors/${code}`}>
                <code>{code}</code>
              </a>
            </dt>
            <dd>
              {status}: {title}
            </dd>
          </>
        ))}
      </dl>
    </main>,
  );
}

/** What stands where the reference has no such page. */
export function unknownPage(): string | Promise<string> {
  return documentPage(
    "No such page",
    <main>
      <h1>No such page</h1>
      <p>
        Nothing is at this address. <a href="/docs">The reference</a> has every operation, and{" "}
        <a href="/errors">the list of error codes</a> each error.
      </p>
    </main>,
  );
}

/** What stands where there is no such code. */
export function unknownErrorPage(): string | Promise<string> {
  return documentPage(
    "No such error code",
    <main>
      <h1>No such error code</h1>
      <p>
        The API has no error of this name. <a href="/errors">All error codes</a>
      </p>
    </main>,
  );
}

/** What stands at the address that an error has for its type: why it comes, what to do, and an answer with it. */
export function errorPage(code: ProblemCode, origin: string): string | Promise<string> {
  const [status, title] = PROBLEMS[code];
  const { cause, cure, example } = helpOn(code);
  const answer = problemBody(example, { requestId: REQUEST_ID, origin });
  return documentPage(
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
        <code>{JSON.stringify(answer, null, 2)}</code>
      </pre>
      <p>
        The <a href="/docs">reference</a> says at each operation which errors it can answer.
      </p>
    </main>,
  );
}

import type { Streams } from "./streams.ts";

type Turn = "lead" | "done" | { failed: string };
type Member = { statements: string[]; wake: (turn: Turn) => void };

const MOST_MEMBERS = 16;
const PATIENCE_MS = 12_000;

/**
 * Writers of one database, which go together: the one that finds the database free takes those that wait along, in one
 * transaction, and then wakes the next.
 */
export class Writers {
  readonly #streams: Streams;
  readonly #waiting: Member[] = [];
  #isBusy = false;

  constructor(streams: Streams) {
    this.#streams = streams;
  }

  /** Commits the statements, which are the protocol's JSON; gives why they were not, or null. */
  async write(statements: string[]): Promise<string | null> {
    const own: Member = { statements, wake: () => undefined };
    if (this.#isBusy) {
      const turn = await this.#wait(own);
      if (turn !== "lead") return turn === "done" ? null : turn.failed;
    }
    this.#isBusy = true;
    const others = this.#waiting.splice(0, MOST_MEMBERS - 1);
    const { failed } = await this.#streams.ask([groupOf([own, ...others])]);
    for (const other of others) other.wake(failed === null ? "done" : { failed });
    const next = this.#waiting.shift();
    if (next === undefined) this.#isBusy = false;
    else next.wake("lead");
    return failed;
  }

  // The runtime takes a call for hung that waits for another one's promise without a timer of its own.
  async #wait(member: Member): Promise<Turn> {
    const turn = new Promise<Turn>((resolve) => {
      member.wake = resolve;
    });
    this.#waiting.push(member);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tooLate = new Promise<Turn>((resolve) => {
      timer = setTimeout(() => {
        this.#waiting.splice(0, this.#waiting.length, ...this.#waiting.filter((one) => one !== member));
        resolve({ failed: "no turn came" });
      }, PATIENCE_MS);
    });
    const result = await Promise.race([turn, tooLate]);
    clearTimeout(timer);
    return result;
  }
}

/** One transaction of all members' statements: each runs if the one before it did. */
function groupOf(members: readonly Member[]): string {
  const steps = ['{"stmt":{"sql":"BEGIN IMMEDIATE","want_rows":false}}'];
  const add = (statement: string) =>
    steps.push(`{"condition":{"type":"ok","step":${steps.length - 1}},"stmt":${statement}}`);
  for (const { statements } of members) for (const statement of statements) add(statement);
  add('{"sql":"COMMIT","want_rows":false}');
  steps.push(
    `{"condition":{"type":"not","cond":{"type":"ok","step":${steps.length - 1}}},"stmt":{"sql":"ROLLBACK","want_rows":false}}`,
  );
  return `{"type":"batch","batch":{"steps":[${steps.join(",")}]}}`;
}

import { classify, NotCommitted } from "./failure.ts";
import {
  type BatchReply,
  type Bound,
  type Condition,
  errorOf,
  framing,
  notOk,
  ok,
  type Result,
  resultOf,
  type Step,
} from "./protocol.ts";

/** How a batch ended: with its results, which are committed, or with an error. */
export type End = { results: Result[] } | { error: unknown };

const BEGIN = 0;

/**
 * The steps that write a group of batches in one transaction. Each batch is undone by itself where one of its statements
 * fails. A transaction can end in the middle by a fault of the disk; then SAVEPOINT would begin one of its own, and
 * RELEASE commit it. So each SAVEPOINT asks that the RELEASE before it succeeded, and COMMIT asks it of the last one.
 */
export function groupSteps(batches: readonly (readonly Bound[])[]): Step[] {
  const steps = [framing("BEGIN IMMEDIATE")];
  const add = (step: Step) => steps.push(step) - 1;
  let last = BEGIN;
  for (const statements of batches) {
    const isAlone = batches.length === 1;
    const savepoint = isAlone ? BEGIN : add(framing("SAVEPOINT batch", ok(last)));
    last = savepoint;
    for (const stmt of statements) last = add({ stmt, condition: ok(last) });
    if (isAlone) break;
    const isUndone = { type: "and", conds: [ok(savepoint), notOk(last)] } as const;
    add(framing("ROLLBACK TO batch", isUndone));
    last = add(framing("RELEASE batch", ok(savepoint)));
  }
  const commit = add(framing("COMMIT", ok(last)));
  add(framing("ROLLBACK", notOk(commit)));
  return steps;
}

/** The steps that read several statements from one state of the database; one statement does so by itself. */
function readSteps(statements: readonly Bound[]): Step[] {
  const [first] = statements;
  if (first !== undefined && statements.length === 1) return [{ stmt: first }];
  const commit = statements.length + 1;
  return [
    framing("BEGIN TRANSACTION READONLY"),
    ...statements.map((stmt, place) => ({ stmt, condition: ok(place) })),
    framing("COMMIT", ok(statements.length)),
    framing("ROLLBACK", notOk(commit)),
  ];
}

/** The steps that read batch after batch, each as `readSteps` does. An error of one changes no other. */
export function groupReadSteps(batches: readonly (readonly Bound[])[]): Step[] {
  const steps: Step[] = [];
  for (const statements of batches) {
    const first = steps.length;
    for (const step of readSteps(statements)) steps.push(movedBy(first, step));
  }
  return steps;
}

/** Whether the last step ended well, which ends the transaction of a group of writes in any case. */
export function lastSucceeded({ step_errors }: BatchReply): boolean {
  return step_errors.at(-1) === null;
}

/** Whether each step ended well, so that each batch of reads has ended its transaction. */
export function allSucceeded({ step_errors }: BatchReply): boolean {
  return step_errors.every((error) => error === null);
}

/** How each batch of `groupReadSteps` ended. */
export function groupReadEnds(batches: readonly (readonly Bound[])[], reply: BatchReply): End[] {
  let first = 0;
  return batches.map((statements) => {
    const from = first;
    first += readSteps(statements).length;
    const own = {
      step_results: reply.step_results.slice(from, first),
      step_errors: reply.step_errors.slice(from, first),
    };
    return endOf(() => readResults(statements, own));
  });
}

/** What the statements of `readSteps` gave. Throws the first error. */
function readResults(statements: readonly Bound[], reply: BatchReply): Result[] {
  if (statements.length === 1) return [resultOf(reply, 0)];
  return reply.step_results
    .slice(0, -1)
    .map((_, step) => resultOf(reply, step))
    .slice(1, -1);
}

function movedBy(by: number, { stmt, condition }: Step): Step {
  return condition === undefined ? { stmt } : { stmt, condition: moved(by, condition) };
}

function moved(by: number, condition: Condition): Condition {
  switch (condition.type) {
    case "ok":
      return ok(condition.step + by);
    case "not":
      return { type: "not", cond: moved(by, condition.cond) };
    case "and":
      return { type: "and", conds: condition.conds.map((one) => moved(by, one)) };
  }
}

/** How each batch of `groupSteps` ended. A batch is done only if its own statements and the COMMIT succeeded. */
export function groupEnds(batches: readonly (readonly Bound[])[], reply: BatchReply): End[] {
  const commit = reply.step_results.length - 2;
  const isCommitted = reply.step_results[commit] !== null;
  const isAlone = batches.length === 1;
  if (!isCommitted && !isAlone) {
    // A refusal counts no more either: it may be due to what another batch of the group had written.
    const error = wholeError(reply, commit);
    return batches.map(() => ({ error }));
  }
  let step = BEGIN;
  return batches.map((statements) => {
    // In a group, one step before the statements of each batch, and two after them.
    const first = step + (isAlone ? 1 : 2);
    step = first + statements.length - 1 + (isAlone ? 0 : 2);
    return endOf(() => {
      resultOf(reply, BEGIN);
      const results = statements.map((_, place) => resultOf(reply, first + place));
      resultOf(reply, commit);
      return results;
    });
  });
}

/** Why a group was not committed: what kept it from beginning, or left open whether it was. */
function wholeError({ step_errors }: BatchReply, commit: number): unknown {
  const [begin] = step_errors;
  if (begin && classify(errorOf(begin)).kind !== "fault") return errorOf(begin);
  const error = step_errors[commit];
  if (error && classify(errorOf(error)).kind === "unknown") return errorOf(error);
  return new NotCommitted();
}

function endOf(results: () => Result[]): End {
  try {
    return { results: results() };
  } catch (error) {
    return { error };
  }
}

/** An operation as the list of agents has it. */
export type AgentOperation = {
  id: string;
  method: string;
  /** From the base address on, with `{company}` and record ids. */
  path: string;
  summary: string;
  /** The part of the API that it belongs to. */
  tag: string;
  only_reads: boolean;
  /** Whether it changes or ends what exists, and does not just add to it. */
  may_destroy: boolean;
  has_dry_run: boolean;
  /** False where its body is a form with a file. */
  takes_json: boolean;
};

const MOST_FOUND = 20;
const WORD = /[a-z0-9]+/g;

/**
 * The operations that a text speaks of, those that have most of its words first: a word counts more in an id or a
 * summary than in an address. A text without words finds none.
 */
export function findOperations(list: readonly AgentOperation[], text: string): AgentOperation[] {
  const words = wordsOf(text);
  return list
    .map((operation) => ({ operation, score: scoreOf(operation, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST_FOUND)
    .map(({ operation }) => operation);
}

/** The parts of the API with the ids of their operations. */
export function operationsByTag(list: readonly AgentOperation[]): Record<string, string[]> {
  const byTag: Record<string, string[]> = {};
  for (const { tag, id } of list) byTag[tag] = [...(byTag[tag] ?? []), id];
  return byTag;
}

function scoreOf({ id, summary, tag, path }: AgentOperation, words: ReadonlySet<string>): number {
  const named = wordsOf(`${id} ${summary} ${tag}`);
  const addressed = wordsOf(path);
  let score = 0;
  for (const word of words) score += (named.has(word) ? 3 : 0) + (addressed.has(word) ? 1 : 0);
  return score;
}

/** The words of a text and of its names, `createInvoice` as `create` and `invoice`; one thing and many are one word. */
function wordsOf(text: string): Set<string> {
  const parted = text.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return new Set(Array.from(parted.matchAll(WORD), ([word]) => word.replace(/(?<=..)s$/, "")));
}

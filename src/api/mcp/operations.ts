import { MEANINGS, wordsOf } from "./words.ts";

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
  /** Whether its user is shown the call first. */
  needs_approval: boolean;
  has_dry_run: boolean;
  /** False where its body is a form with a file. */
  takes_json: boolean;
  /** What it can be found by besides: what people call it, and the words of its description. */
  everyday: string;
  words: string;
};

const MOST_FOUND = 8;
const MOST_WORDS = 100;
// A text that asks is likelier for what reads.
const ASKS =
  /^\s*(?:any|are|check|did|do|find|get|has|have|how|is|list|look|read|see|show|what|when|where|which|whom?)\b/i;
const ASKED = 1.3;

/** The list of agents, made ready once for all that they ask. */
export type OperationIndex = ReturnType<typeof indexOperations>;

/** Takes the words of each operation apart, and sorts the ids by the parts of the API. */
export function indexOperations(list: readonly AgentOperation[]) {
  return {
    byId: new Map(list.map((operation) => [operation.id, operation])),
    byTag: operationsByTag(list),
    parted: list.map((operation) => ({ operation, parts: partsOf(operation) })),
  };
}

/**
 * The operations that a text speaks of, those that have most of its words first: a word counts most in an id or a summary,
 * less in an address, and least in a description; a word of few operations counts more. A text without words finds none.
 */
export function findOperations({ parted }: OperationIndex, text: string): Partial<AgentOperation>[] {
  const sought = Array.from(wordsOf(text), (word) => {
    const words = [word, ...(MEANINGS.get(word) ?? [])];
    const having = parted.filter(({ parts: { named, addressed } }) =>
      words.some((one) => named.has(one) || addressed.has(one)),
    );
    return { words, weight: Math.log2(1 + parted.length / (1 + having.length)) };
  });
  const asks = ASKS.test(text);
  return parted
    .map(({ operation, parts }) => {
      const score = scoreOf(parts, sought);
      return { operation, score: asks && operation.only_reads ? score * ASKED : score };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST_FOUND)
    .map(({ operation }) => shown(operation));
}

/** An operation without what it is found by, and without the marks that it has not. */
function shown({ tag: _, everyday: __, words: ___, ...operation }: AgentOperation): Partial<AgentOperation> {
  const said = Object.entries(operation).filter(([name, value]) => value !== (name === "takes_json"));
  return Object.fromEntries(said);
}

/** The parts of the API with the ids of their operations. */
function operationsByTag(list: readonly AgentOperation[]): Record<string, string[]> {
  const byTag: Record<string, string[]> = {};
  for (const { tag, id } of list) byTag[tag] = [...(byTag[tag] ?? []), id];
  return byTag;
}

type Parts = ReturnType<typeof partsOf>;

function partsOf({ id, summary, tag, path, everyday, words }: AgentOperation) {
  return {
    named: wordsOf(`${id} ${summary} ${tag} ${everyday}`),
    addressed: wordsOf(path),
    described: new Set(words.split(" ")),
  };
}

/** A word of the text with what the API calls it: together they count once. */
type Sought = { words: readonly string[]; weight: number };

function scoreOf({ named, addressed, described }: Parts, sought: readonly Sought[]): number {
  let score = 0;
  for (const { words, weight } of sought) {
    const has = (some: ReadonlySet<string>) => words.some((word) => some.has(word));
    const told = words.some((word) => described.has(word) && !named.has(word) && !addressed.has(word));
    score += weight * ((has(named) ? 4 : 0) + (has(addressed) ? 2 : 0) + (told ? 1 : 0));
  }
  // Of two that have the same words, the one whose address is shorter.
  return score - (score > 0 ? addressed.size / MOST_WORDS : 0);
}

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
  /** What it can be found by besides: the words of its description. */
  words: string;
};

const MOST_FOUND = 20;
const MOST_WORDS = 100;
const WORD = /[a-z0-9]+/g;
// They stand in every description.
const COMMON = new Set(
  "a an and are as at be by can do for from has have how i if in is it its me my no not of on or our that the their this to u us was we what when where which who with".split(
    " ",
  ),
);

// What the API has another word for.
const MEANT = new Map(
  Object.entries({
    add: ["create"],
    back: ["refund"],
    bill: ["invoice", "issue"],
    buyer: ["customer"],
    charge: ["invoice"],
    client: ["customer"],
    give: ["create"],
    leave: ["override"],
    lesson: ["booking"],
    mail: ["email"],
    mark: ["record"],
    overdue: ["invoice", "list"],
    owe: ["invoice", "list"],
    paid: ["payment"],
    text: ["sms"],
    today: ["list"],
    tomorrow: ["list"],
  }),
);

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
export function findOperations({ parted }: OperationIndex, text: string): Omit<AgentOperation, "words">[] {
  const sought = Array.from(wordsOf(text), (word) => {
    const words = [word, ...(MEANT.get(word) ?? [])];
    const having = parted.filter(({ parts: { named, addressed } }) =>
      words.some((one) => named.has(one) || addressed.has(one)),
    );
    return { words, weight: Math.log2(1 + parted.length / (1 + having.length)) };
  });
  return parted
    .map(({ operation, parts }) => ({ operation, score: scoreOf(parts, sought) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST_FOUND)
    .map(({ operation: { words: _, ...shown } }) => shown);
}

/** The parts of the API with the ids of their operations. */
function operationsByTag(list: readonly AgentOperation[]): Record<string, string[]> {
  const byTag: Record<string, string[]> = {};
  for (const { tag, id } of list) byTag[tag] = [...(byTag[tag] ?? []), id];
  return byTag;
}

type Parts = ReturnType<typeof partsOf>;

function partsOf({ id, summary, tag, path, words }: AgentOperation) {
  return {
    named: wordsOf(`${id} ${summary} ${tag}`),
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
  // Of two that have the same words, the one that is about less.
  return score - (score > 0 ? named.size / MOST_WORDS : 0);
}

/** The words of a text and of its names, `createInvoice` as `create` and `invoice`; one thing, its possessive and many are one word. */
export function wordsOf(text: string): Set<string> {
  const parted = text
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replaceAll(/['’]s\b/g, "");
  const words = Array.from(parted.matchAll(WORD), ([word]) => word).filter((word) => !COMMON.has(word));
  return new Set(words.map((word) => word.replace(/(?<=..)s$/, "")));
}

const WORD = /[a-z0-9]+/g;
// They stand in every description.
const COMMON = new Set(
  "a an and are as at be by can do for from has have how i if in is it its me my no not of on or our that the their this to u us was we what when where which who with".split(
    " ",
  ),
);

const MEANT_BY = {
  booking: "appointment lesson",
  cancel: "drop",
  chatapp: "whatsapp",
  create: "add draw give issue log make new plan raise register start",
  customer: "buyer client contact learner pupil student",
  delete: "drop remove",
  diary: "schedule",
  due: "owe",
  email: "mail",
  endpoint: "webhook",
  instructor: "teacher",
  invoice: "bill charge",
  job: "position",
  key: "api",
  list: "see show today tomorrow view",
  override: "leave",
  payment: "paid pay",
  read: "see show view",
  record: "mark",
  refund: "back reimburse",
  reschedule: "postpone",
  sms: "text",
  update: "alter correct edit raise set",
  void: "reverse",
};

/** What the API has another word for, with its words; all in the form of `wordsOf`. */
export const MEANINGS = new Map<string, string[]>();
for (const [meant, words] of Object.entries(MEANT_BY))
  for (const word of words.split(" ").map(stemOf))
    MEANINGS.set(word, [...(MEANINGS.get(word) ?? []), stemOf(meant)]);

/** The words of a text and of its names, `createInvoice` as `create` and `invoice`; the forms of a word are one. */
export function wordsOf(text: string): Set<string> {
  const parted = text
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replaceAll(/['\u2019]s\b/g, "");
  const words = Array.from(parted.matchAll(WORD), ([word]) => word).filter((word) => !COMMON.has(word));
  return new Set(words.map(stemOf));
}

/** The word without what its many, its past and its doing add: `bookings`, `booked` and `booking` are one word. */
function stemOf(word: string): string {
  return word
    .replace(/ies$/, "y")
    .replace(/(?<=..[^s])s$/, "")
    .replace(/(?<=...)(?:ing|ed|e)$/, "")
    .replace(/([bdgmnprt])\1$/, "$1");
}

type Word = { old: RegExp; write: string };

// The words of before and what is written instead (docs/architecture.md and CONTRIBUTING.md hold the words that stay).
const WORDS: Word[] = [
  { old: /\bbulkheads?\b/gi, write: "circuit breaker" },
  { old: /\b(?:re|un)?seal(?:s|ed|ing|ings)?\b/gi, write: "encrypt, re-encrypt, decrypt" },
  { old: /\bparked\b/gi, write: "quarantined" },
  { old: /\bunattended\b/gi, write: "system write" },
  { old: /\bchores?\b/gi, write: "scheduled job, hourly job" },
  { old: /\bhousekeeping\b/gi, write: "hourly job" },
  { old: /\b(?:bury|buries|buried)\b/gi, write: "dead letter" },
  { old: /\buntold\b/gi, write: "what was not sent" },
  {
    old: /\b(?:memory key|operation memory|is remembered under)\b/gi,
    write: "idempotency key, idempotency record",
  },
  { old: /\badopt(?:s|ed|ing|ion|ions)?\b/gi, write: "rebuild the registry" },
  { old: /\b(?:nobody|whoever|whomever|somebody)\b/gi, write: "the part or the person that acts" },
  { old: /\b(?:tell|tells|told|telling)\b/gi, write: "the part that acts: reports, answers, says, notifies" },
  { old: /\bso that twice is once\b/gi, write: "idempotent" },
  { old: /\b(?:arms|armed|arming)\b/gi, write: "schedules, scheduled" },
];

const TS_PROSE = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;
const CODE_SPAN = /```[\s\S]*?```|`[^`\n]*`|\$\{[^}]*\}|\]\([^)]*\)/g;
const SENTENCE = /\w \w+ \w/;

/** The pieces of a file that a person reads as English, each with its offset. */
function prose(path: string, text: string): { text: string; at: number }[] {
  if (path.endsWith(".md")) return [{ text: blankCode(text), at: 0 }];
  const found = path.endsWith(".sql") ? text.matchAll(/--[^\n]*/g) : text.matchAll(TS_PROSE);
  return [...found].flatMap((match) => {
    const isComment = /^(?:\/[/*]|--)/.test(match[0]);
    const words = match[0].startsWith("`") ? match[0].slice(1, -1) : match[0];
    return isComment || SENTENCE.test(words) ? [{ text: blankCode(words), at: match.index }] : [];
  });
}

function blankCode(text: string): string {
  return text.replace(CODE_SPAN, (span) => " ".repeat(span.length));
}

/** Where a file says one of the old words, as `path:line: word (write ...)`; code in backticks may say it. */
export function oldWords(path: string, text: string): string[] {
  return prose(path, text).flatMap((piece) =>
    WORDS.flatMap(({ old, write }) =>
      [...piece.text.matchAll(old)].map(
        ({ 0: word, index }) =>
          `${path}:${text.slice(0, piece.at + index).split("\n").length}: ${word} (write: ${write})`,
      ),
    ),
  );
}

/** What one check found; a failed one says what to do. One that could not be made is no fault: `skipped`. */
export type Finding = { check: string; ok: boolean; found: string; remedy?: string; skipped?: true };
type Check = (signal: AbortSignal) => Promise<string>;
type Limits = {
  /** How long the check may take; 30 s where it is left out. */
  limitMs?: number;
  /** Set where the check is made also after an interrupt. */
  goesOn?: true;
};

const LIMIT_MS = 30_000;
const WHERE = "(`npx wrangler tail`; on a machine of your own `journalctl --unit company-operations`)";
/** A remedy: where the cause stands. */
export const LOG = `the service's log names the cause ${WHERE}`;
/** The same, of an answer with a request's id. */
export const LOG_OF_ID = `the service's log names the cause under that id ${WHERE}`;

/** Ends a check that cannot be made here: why. */
export class Skipped extends Error {}

/** Ends a check: what is wrong, and what to do about it. */
export class Wrong extends Error {
  readonly remedy: string;

  constructor(found: string, remedy: string) {
    super(found);
    this.remedy = remedy;
  }
}

/** The findings in the order in which they came. */
export class Report {
  readonly findings: Finding[] = [];
  readonly #tell: (finding: Finding) => void;
  readonly #interrupted: AbortSignal;

  /** `tell` gets each finding as it comes; `interrupted` ends the checks. */
  constructor(tell: (finding: Finding) => void, interrupted: AbortSignal) {
    this.#tell = tell;
    this.#interrupted = interrupted;
  }

  /** Runs one check, which gives what it found and ends at its signal; false when something is wrong. */
  async check(name: string, run: Check, { limitMs = LIMIT_MS, goesOn }: Limits = {}): Promise<boolean> {
    const limit = AbortSignal.timeout(limitMs);
    const signal = goesOn ? limit : AbortSignal.any([limit, this.#interrupted]);
    const finding = await run(signal).then(
      (found): Finding => ({ check: name, ok: true, found }),
      (error: unknown): Finding => ({
        check: name,
        ...unsoundOf(error, limit.aborted ? limitMs : undefined),
      }),
    );
    this.findings.push(finding);
    this.#tell(finding);
    return finding.ok;
  }

  get isSound(): boolean {
    return this.findings.every(({ ok }) => ok);
  }
}

/** One line for the terminal. */
export function lineOf({ check, ok, found, remedy, skipped }: Finding): string {
  if (skipped) return oneLine(`--  ${check}: ${found}`);
  return oneLine(ok ? `ok  ${check}: ${found}` : `no  ${check}: ${found} : ${remedy}`);
}

function unsoundOf(error: unknown, limitMs: number | undefined): Omit<Finding, "check"> {
  if (error instanceof Skipped) return { ok: true, skipped: true, found: error.message };
  const message = error instanceof Error ? error.message : String(error);
  const found = limitMs === undefined ? message : `${message}; the check may take ${limitMs / 1_000} s`;
  const remedy =
    error instanceof Wrong ? error.remedy : "run it again; if it stays, this is an error of the doctor";
  return { ok: false, found, remedy };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").replace(/^(ok|no|--) /, "$1  ");
}

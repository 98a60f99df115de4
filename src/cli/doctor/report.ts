/** What one check found; a failed one says what to do. One that could not be made is no fault: `skipped`. */
export type Finding = { check: string; ok: boolean; found: string; remedy?: string; skipped?: true };

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

  /** `tell` gets each finding as it comes. */
  constructor(tell: (finding: Finding) => void) {
    this.#tell = tell;
  }

  /** Runs one check, which gives what it found; false when something is wrong. */
  async check(name: string, run: () => Promise<string>): Promise<boolean> {
    const finding = await run().then(
      (found): Finding => ({ check: name, ok: true, found }),
      (error: unknown): Finding => ({ check: name, ...unsoundOf(error) }),
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

function unsoundOf(error: unknown): Omit<Finding, "check"> {
  if (error instanceof Skipped) return { ok: true, skipped: true, found: error.message };
  if (error instanceof Wrong) return { ok: false, found: error.message, remedy: error.remedy };
  const found = error instanceof Error ? error.message : String(error);
  return { ok: false, found, remedy: "run it again; if it stays, this is an error of the doctor" };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").replace(/^(ok|no|--) /, "$1  ");
}

/** A failure as the command line shows it: one line that says what to do, without a stack trace. */
export class Failure extends Error {
  /** False where the same request may be sent again. */
  readonly isFinal: boolean;
  /** Of the answer, where one came. */
  readonly status: number | undefined;

  constructor(message: string, isFinal = true, status?: number) {
    super(message);
    this.isFinal = isFinal;
    this.status = status;
  }
}

/** The line that the user is shown for an error. */
export function lineOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [line = "The command failed"] = message.split("\n");
  return printable(line);
}

/** Escapes the control characters of a text from another party, so that it cannot steer a terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, (code) => {
    const digits = code.charCodeAt(0).toString(16).padStart(4, "0");
    return `\\u${digits}`;
  });
}

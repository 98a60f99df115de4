import type { Course, Instructor } from "./wire.ts";

/** What the visitor has chosen so far. */
export type Choice = {
  course?: Course | undefined;
  instructor?: Instructor | undefined;
  date?: string | undefined;
  time?: string | undefined;
  timezone?: string | undefined;
  /** Distinguishes this visitor from others behind the same address. */
  visitor?: string | undefined;
  /** Where the visitor lives: a postcode or suburb. */
  place?: string | undefined;
  /** The fields of the form, by their names on the wire. */
  details?: Record<string, string> | undefined;
};

/** What outlives a reload and the way to a payment page and back. */
type Kept = {
  choice: Choice;
  /** A booking that was sent and not answered yet; sent again under its key it cannot become two. */
  attempt?: { key: string; body: object };
  /** The booking that was made, and whether the school takes its payment some other way than online. */
  id?: string;
  isOffline?: boolean;
  /** The booking's own page, where it is paid, moved and cancelled. */
  manage?: string | undefined;
};

/** What the widget knows of this visit, kept in the tab's own storage where the browser lets it. */
export class Memory {
  readonly #name: string;
  #kept: Kept = { choice: {} };

  constructor(company: string) {
    this.#name = `booking-widget:${company}`;
    try {
      this.#kept = JSON.parse(sessionStorage.getItem(this.#name) ?? "null") ?? this.#kept;
    } catch {
      // A page without storage, such as one in a sandboxed frame, forgets at its end.
    }
  }

  get kept(): Readonly<Kept> {
    return this.#kept;
  }

  get choice(): Choice {
    return this.#kept.choice;
  }

  /** Stores the given values and forgets the others, except for the choice. */
  keep(next: Omit<Kept, "choice">): void {
    this.#kept = { choice: this.choice, ...next };
    try {
      if (next.id || next.attempt) sessionStorage.setItem(this.#name, JSON.stringify(this.#kept));
      else sessionStorage.removeItem(this.#name);
    } catch {
      // As above.
    }
  }
}

import { button, h } from "./dom.ts";
import { type Formats, fill, shift } from "./formats.ts";
import type { Strings } from "./strings.ts";

type Options = {
  formats: Formats;
  text: Strings;
  today: string;
  /** Gives the free days of a month from a date of it on. */
  load: (from: string) => Promise<string[]>;
  pick: (date: string) => void;
  fail: (error: unknown) => void;
};

/** Days and months that a key moves by. */
const MOVES: Record<string, [days: number, months?: number]> = {
  ArrowLeft: [-1],
  ArrowRight: [1],
  ArrowUp: [-7],
  ArrowDown: [7],
  PageUp: [0, -1],
  PageDown: [0, 1],
};

/** A month of days to pick from, in one tab stop: arrow keys walk over the days, Page Up and Down over the months. */
export class Calendar {
  readonly element: HTMLElement;
  readonly #options: Options;
  readonly #months = new Map<string, Promise<string[]>>();
  readonly #title = h("h3", { "aria-live": "polite" });
  readonly #days = h("tbody");
  readonly #earlier: HTMLButtonElement;
  /** The day that the keyboard is on; its month is the one that is shown. */
  #at: string;
  #picked: string | undefined;

  constructor(options: Options, picked: string | undefined) {
    const { formats, text, today } = options;
    this.#options = options;
    this.#picked = picked;
    this.#at = picked ?? today;
    const turn = (months: number) => this.#moveTo(shift(this.#at, 0, months));
    this.#earlier = button(() => turn(-1), { "aria-label": text.previousMonth }, "‹");
    const later = button(() => turn(1), { "aria-label": text.nextMonth }, "›");
    const names = formats.weekdays().map(({ short, long }) => h("th", { scope: "col", abbr: long }, short));
    this.element = h(
      "div",
      { class: "calendar" },
      h("div", { class: "months" }, this.#earlier, this.#title, later),
      h(
        "table",
        { role: "grid", "aria-describedby": "keys" },
        h("thead", {}, h("tr", {}, ...names)),
        this.#days,
      ),
      h("small", { id: "keys" }, text.keys),
    );
    this.#days.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /** Shows the month and gives its free days; each month is asked for once. */
  async show(): Promise<string[]> {
    const { today, load } = this.#options;
    const month = this.#at.slice(0, 7);
    const first = `${month}-01`;
    this.#draw([]);
    const asked = this.#months.get(month) ?? load(first < today ? today : first);
    this.#months.set(month, asked);
    const free = await asked;
    if (month !== this.#at.slice(0, 7)) return free;
    this.#draw(free);
    return free;
  }

  /** Marks the day whose times are shown. */
  mark(date: string): void {
    this.#picked = date;
    this.#at = date;
  }

  #draw(free: string[]): void {
    const { today, formats } = this.#options;
    const month = this.#at.slice(0, 7);
    const first = `${month}-01`;
    const hadFocus = this.#days.contains((this.element.getRootNode() as ShadowRoot).activeElement);
    this.#title.textContent = formats.month(month);
    this.#earlier.disabled = month <= today.slice(0, 7);
    const lead = (new Date(first).getUTCDay() - formats.firstWeekday() + 7) % 7;
    const length = Number(shift(shift(first, 0, 1), -1).slice(8));
    const cells = Array.from({ length: lead + length }, (_, index) =>
      index < lead ? h("td") : this.#cell(shift(first, index - lead), free),
    );
    const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
      h("tr", {}, ...cells.slice(week * 7, week * 7 + 7)),
    );
    this.#days.replaceChildren(...weeks);
    if (hadFocus) this.#focus();
  }

  #cell(date: string, free: string[]): HTMLElement {
    const { formats, text, today, pick } = this.#options;
    const isFree = free.includes(date);
    const choose = () => {
      if (!isFree) return;
      this.mark(date);
      this.#draw(free);
      this.#focus();
      pick(date);
    };
    const attributes = {
      tabindex: date === this.#at ? 0 : -1,
      "data-date": date,
      "aria-label": fill(isFree ? text.free : text.full, { day: formats.day(date) }),
      "data-free": isFree,
      "aria-disabled": !isFree && "true",
      "aria-pressed": String(date === this.#picked),
      "aria-current": date === today && "date",
    };
    return h("td", {}, button(choose, attributes, String(Number(date.slice(8)))));
  }

  #onKey(event: KeyboardEvent): void {
    const move = MOVES[event.key];
    if (!move) return;
    event.preventDefault();
    this.#moveTo(shift(this.#at, ...move));
  }

  #moveTo(date: string): void {
    const { today, fail } = this.#options;
    const month = this.#at.slice(0, 7);
    this.#at = date < today ? today : date;
    if (this.#at.slice(0, 7) === month) this.#focus();
    else this.show().catch(fail);
  }

  #focus(): void {
    for (const day of this.#days.querySelectorAll("button")) {
      const isIt = day.dataset.date === this.#at;
      day.tabIndex = isIt ? 0 : -1;
      if (isIt) day.focus();
    }
  }
}

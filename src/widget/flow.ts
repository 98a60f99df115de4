import { Client, Failure } from "./client.ts";
import { button, type Child, h } from "./dom.ts";
import { Formats, fill } from "./formats.ts";
import { Memory } from "./memory.ts";
import { STRINGS, type Strings } from "./strings.ts";
import type { Payment, Start } from "./wire.ts";

export type StepName =
  | "course"
  | "instructor"
  | "times"
  | "details"
  | "send"
  | "puzzle"
  | "pay"
  | "cancel"
  | "status";
export type View = { heading: string; content: Child[]; number?: number };
/** One screen; none where the step went on by itself. The signal aborts once the visitor has left it. */
export type Step = (flow: Flow, signal: AbortSignal) => View | undefined | Promise<View | undefined>;

/** Leads through the steps: one is on the screen, what it started ends with it. */
export class Flow {
  readonly client: Client;
  readonly memory: Memory;
  readonly formats: Formats;
  readonly text: Strings;
  /** Where the visitor comes back to from a payment page. */
  readonly page: string;
  /** The ids of the course and the instructor that the page has chosen for its visitors. */
  readonly preset: { course?: string; instructor?: string };
  /** Whether Razorpay's Checkout opens on this page, in place of the booking's own. */
  readonly isInline: boolean;
  /** All that the visitor chooses from, asked for when they begin. */
  start: Promise<Start> | undefined;
  /** The payment that waits for the press of the button to be made on this page. */
  payment: Payment | undefined;
  /** What shows the puzzle that is asked for. */
  siteKey = "";
  /** What is wrong with the form, by field. */
  problems = new Map<string, string>();

  readonly frame: HTMLElement;
  readonly #host: HTMLElement;
  readonly #steps: Record<StepName, Step>;
  readonly #screen = h("div");
  readonly #status = h("p", { role: "status", class: "wait" });
  #current = new AbortController();
  /** On page load the focus is the page's, unless there is news of a booking. */
  #takesFocus = false;

  /** All settings are attributes of the element, but for the page's own texts in a JSON script inside it. */
  constructor(host: HTMLElement, steps: Record<StepName, Step>) {
    const attribute = (name: string) => host.getAttribute(name) ?? "";
    const company = attribute("company");
    const script = host.querySelector("script[type='application/json']");
    this.#host = host;
    this.#steps = steps;
    this.text = { ...STRINGS, ...JSON.parse(script?.textContent ?? "{}") };
    this.page = attribute("return-url") || location.href;
    this.preset = { course: attribute("course"), instructor: attribute("instructor") };
    this.isInline = attribute("payment") === "inline";
    this.memory = new Memory(company);
    this.formats = new Formats(host.closest<HTMLElement>("[lang]")?.lang || navigator.language);
    this.client = new Client(attribute("api"), company, attribute("client-id"), (seconds) =>
      this.say(seconds > 0 ? fill(this.text.busy, { seconds }) : ""),
    );
    this.client.visitor = () => this.memory.choice.visitor ?? "";
    this.frame = h("section", { "aria-label": this.text.label }, this.#status, this.#screen);
  }

  /** What a page begins with: one call, whatever the visitor chooses then. */
  begin(signal: AbortSignal): Promise<Start> {
    const start = this.client.get<Start>("/start", signal, { with_next: "true", client_id: this.client.id });
    this.start = start;
    start.catch(() => {
      this.start = undefined;
    });
    return start;
  }

  /** The booking's own page, or one below it, in the language of this one; undefined where it is not known. */
  own(path = ""): string | undefined {
    const { manage } = this.memory.kept;
    return manage && `${manage}${path}?lang=${this.formats.locale}`;
  }

  /** A place in the element itself, outside of its own styles, for what other scripts put into the page. */
  slot(signal: AbortSignal): HTMLElement {
    const place = h("div", { slot: "outside" });
    this.#host.append(place);
    signal.addEventListener("abort", () => place.remove());
    return place;
  }

  /** Shows a step, with a warning on it where the visitor did not ask for it. */
  go(name: StepName, warning?: string): undefined {
    void this.#run(name, warning);
  }

  async #run(name: StepName, warning: string | undefined): Promise<void> {
    this.end();
    const { signal } = this.#current;
    this.#screen.inert = true;
    this.say(this.text.loading);
    try {
      const view = await this.#steps[name](this, signal);
      signal.throwIfAborted();
      if (!view) return;
      this.#show(view, warning);
      this.emit("booking-step", { step: name });
    } catch (error) {
      this.fail(error, name, signal);
    }
  }

  /** Ends whatever the current step has started. */
  end(): void {
    this.#current.abort();
    this.#current = new AbortController();
  }

  /** Shows the state on the screen and to screen readers; nothing takes it away. */
  say(text: string): void {
    this.#status.textContent = text;
  }

  /** Notifies the page; false where the page prevented what would follow. */
  emit(name: string, detail: object): boolean {
    const event = new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true });
    return this.#host.dispatchEvent(event);
  }

  /** The text for a failure: the page's own for its code or for a fault of the service, else the API's. */
  explain(error: unknown): string {
    if (!(error instanceof Failure)) return this.text.failed;
    const known: Record<string, string> = this.text;
    const { code, more, message, status } = error;
    const fault = status < 500 ? undefined : known.unavailable;
    const text = known[code + more] ?? known[code] ?? fault ?? (message || this.text.failed);
    return fill(text, { origin: location.origin });
  }

  /** Shows what went wrong in place of a step, with the way to try it again; not once the visitor has left it. */
  fail(error: unknown, step: StepName, signal: AbortSignal): void {
    if (signal.aborted) return;
    const code = error instanceof Failure ? error.code : "failed";
    const message = this.explain(error);
    const again = button(() => this.go(step), { class: "main" }, this.text.tryAgain);
    this.#fill(notice(message), code !== "origin_not_allowed" && again);
    this.emit("booking-error", { code, message });
    if (this.#takesFocus) again.focus();
    // A fault of the page or of ours belongs in the console.
    if (code === "failed") reportError(error);
  }

  #show({ heading, content, number }: View, warning: string | undefined): void {
    const title = h("h2", { tabindex: -1 }, heading);
    const step = !!number && h("p", { class: "step" }, fill(this.text.step, { step: number }));
    this.#fill(step, title, warning && notice(warning), ...content);
    if (this.#takesFocus || !number) title.focus();
    this.#takesFocus = true;
  }

  #fill(...content: Child[]): void {
    this.say("");
    this.#screen.inert = false;
    this.#screen.replaceChildren(h("div", {}, ...content));
  }
}

/** A warning, which screen readers say at once. */
export function notice(text: string): HTMLElement {
  return h("p", { role: "alert", class: "notice" }, text);
}

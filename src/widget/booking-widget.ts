import { readArrival } from "./arrival.ts";
import { Flow } from "./flow.ts";
import { cancelBooking } from "./steps/cancel.ts";
import { chooseCourse } from "./steps/course.ts";
import { askDetails } from "./steps/details.ts";
import { chooseInstructor } from "./steps/instructor.ts";
import { payBooking } from "./steps/pay.ts";
import { solvePuzzle } from "./steps/puzzle.ts";
import { sendBooking } from "./steps/send.ts";
import { showStatus } from "./steps/status.ts";
import { chooseTime } from "./steps/times.ts";
import css from "./style.css";

const STEPS = {
  course: chooseCourse,
  instructor: chooseInstructor,
  times: chooseTime,
  details: askDetails,
  send: sendBooking,
  puzzle: solvePuzzle,
  pay: payBooking,
  cancel: cancelBooking,
  status: showStatus,
};

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);

/** `<booking-widget api company client-id>`: books a lesson. Its attributes are read when it comes into a page. */
class BookingWidget extends HTMLElement {
  readonly #root = this.attachShadow({ mode: "open" });
  #flow: Flow | undefined;

  connectedCallback(): void {
    const flow = new Flow(this, STEPS);
    this.#flow = flow;
    this.#root.adoptedStyleSheets = [sheet];
    this.#root.replaceChildren(flow.frame);
    addEventListener("pageshow", this.#onReturn);
    const { id } = readArrival();
    if (id && id !== flow.memory.kept.id) flow.memory.keep({ id });
    const { kept } = flow.memory;
    flow.go(kept.attempt ? "send" : kept.id ? "status" : "course");
  }

  disconnectedCallback(): void {
    removeEventListener("pageshow", this.#onReturn);
    this.#flow?.end();
  }

  // Back from a payment page to a page that the browser had kept as it was.
  readonly #onReturn = ({ persisted }: PageTransitionEvent): void => {
    if (persisted && this.#flow?.memory.kept.id) this.#flow.go("status");
  };
}

if (!customElements.get("booking-widget")) customElements.define("booking-widget", BookingWidget);

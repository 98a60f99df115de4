import { h } from "../dom.ts";
import { type Flow, notice, type View } from "../flow.ts";
import { loadScript } from "../load-script.ts";

const TURNSTILE = "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit";

type Turnstile = { render: (place: HTMLElement, options: Record<string, unknown>) => void };

/** Shows Turnstile's puzzle, and sends the booking again with what solving it gave, under the same Idempotency-Key. */
export async function solvePuzzle(flow: Flow, signal: AbortSignal): Promise<View | undefined> {
  const { memory, text } = flow;
  const { attempt } = memory.kept;
  if (!attempt) return flow.go("details");
  const failed = h("div", { role: "status" });
  const fail = () => failed.replaceChildren(notice(text.puzzleFailed));
  const solved = (token: string) => {
    memory.keep({ attempt: { ...attempt, body: { ...attempt.body, turnstile_token: token } } });
    flow.go("send");
  };
  try {
    await loadScript(TURNSTILE);
    const { turnstile } = globalThis as unknown as { turnstile: Turnstile };
    turnstile.render(flow.slot(signal), {
      sitekey: flow.siteKey,
      callback: solved,
      "error-callback": fail,
      "unsupported-callback": fail,
    });
  } catch {
    fail();
  }
  return {
    heading: text.puzzle,
    content: [h("p", {}, text.puzzleText), h("slot", { name: "outside" }), failed],
  };
}

import type { Frame } from "./layout.tsx";
import { Lesson, renderLayout } from "./layout.tsx";
import { WORDS } from "./words/words.ts";

type Seen = Frame & {
  /** What the mail showed; the page's form sends it back. */
  proof: string;
  /** Makes the form one operation, however often it is sent. */
  once: string;
};

/** Where the link of the mail leads: opening it confirms nothing, for programs open links too. Its button does. */
export function renderConfirmPage({ visit, sent, proof, once }: Seen) {
  const words = WORDS[sent.language];
  return renderLayout({
    ...{ title: words.confirm, visit, sent },
    children: (
      <>
        <h1>{words.confirm}</h1>
        <Lesson visit={visit} sent={sent} />
        <form method="post" action={sent.link("/confirm")}>
          <input type="hidden" name="once" value={once} />
          <input type="hidden" name="proof" value={proof} />
          <button type="submit">{words.confirmNow}</button>
        </form>
      </>
    ),
  });
}

import type { Sent } from "#api/operations/page.ts";
import { Refusal, renderVisitorLayout } from "#api/page-parts/layout.tsx";
import { type NamedValue, NamedValues } from "#api/page-parts/named-values.tsx";
import type { Thing } from "./find-thing.ts";
import type { LinkKind } from "./link.ts";
import { WORDS, type Word } from "./words.ts";

type Seen = {
  thing: Thing;
  kind: LinkKind;
  company: string;
  sent: Pick<Sent, "language" | "link">;
  /** Makes each form one operation, however often it is sent. */
  once: string;
  refused: boolean;
};

/** One thing that a mail is about, and the press that ends it. */
export function renderThingPage({ thing, kind, company, sent, once, refused }: Seen) {
  const { rows = [], acts = [], links = [], end = "nothing_left", seen } = thing;
  // The names of settings stand for themselves.
  const say = (word: string) => (word in WORDS ? WORDS[word as Word][sent.language] : word);
  const title = say(thing.title);
  const named = rows.map(([name, value]): NamedValue => {
    return [say(name), name === "resume" ? <a href={sent.link("/resume")}>{value}</a> : value];
  });
  return renderVisitorLayout({
    ...{ title, company, sent },
    children: (
      <>
        <h1>{title}</h1>
        <Refusal text={refused ? say("refused") : undefined} />
        <NamedValues rows={named} />
        {links.map(({ name, url }) => (
          <p>
            <a href={url}>{name}</a>
          </p>
        ))}
        {acts.length + links.length === 0 && <p class="state over">{say(end)}</p>}
        {acts.length > 0 && (
          <form method="post" action={sent.link(`/${kind}`)} class="actions">
            <input type="hidden" name="once" value={once} />
            <input type="hidden" name="seen" value={seen} />
            {acts.map((act) => (
              <button type="submit" name="act" value={act}>
                {say(act)}
              </button>
            ))}
          </form>
        )}
      </>
    ),
  });
}

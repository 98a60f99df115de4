import type { Sent } from "#api/operations/page.ts";
import { Refusal, renderVisitorLayout } from "#api/page-parts/layout.tsx";
import { type NamedValue, NamedValues } from "#api/page-parts/named-values.tsx";
import type { Thing } from "./find-thing.ts";
import { WORDS, type Words } from "./words.ts";

type Seen = {
  /** Or why its link does not open it any more. */
  thing: Thing | keyof Words["over"];
  company: string;
  sent: Pick<Sent, "language" | "link">;
  /** Makes each form one operation, however often it is sent. */
  once: string;
  refused: boolean;
};

/** One thing that a mail is about, and the press that ends it. */
export function renderThingPage({ thing, company, sent, once, refused }: Seen) {
  const words = WORDS[sent.language];
  const isOver = typeof thing === "string";
  const {
    rows,
    acts,
    settings = [],
    links = [],
    ...rest
  }: Thing = isOver ? { title: "lead", rows: {}, acts: [] } : thing;
  const [title, end] = isOver ? words.over[thing] : [words.titles[rest.title], words.nothingLeft];
  const named = [
    ...settings.map(({ name, value }): NamedValue => [name, value]),
    ...Object.entries(rows).map(([name, value]): NamedValue => {
      const label = words.labels[name as keyof Words["labels"]];
      return [label, name === "resume" ? <a href={sent.link("/resume")}>{value}</a> : value];
    }),
  ];
  return renderVisitorLayout({
    ...{ title, company, sent },
    children: (
      <>
        <h1>{title}</h1>
        <Refusal text={refused ? words.refused : undefined} />
        <NamedValues rows={named} />
        {links.map(({ name, url }) => (
          <p>
            <a href={url}>{name}</a>
          </p>
        ))}
        {acts.length + links.length === 0 && <p class="state over">{end}</p>}
        {acts.length > 0 && (
          <form method="post" action={sent.link(`/${rest.title}`)} class="actions">
            <input type="hidden" name="once" value={once} />
            <input type="hidden" name="seen" value={rest.seen} />
            {acts.map((act) => (
              <button type="submit" name="act" value={act}>
                {words.acts[act]}
              </button>
            ))}
          </form>
        )}
      </>
    ),
  });
}

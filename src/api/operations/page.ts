import type { Ctx } from "#core/context.ts";
import type { StoredFile } from "#core/files/folder.ts";
import type { Problem } from "#shared/problem.ts";
import type { ResourceName } from "#shared/resource-names.ts";
import type { Language } from "#shared/text/language.ts";

/** What a visitor sends with a page's address: its token, and the fields of the query or of the form. */
export type Sent = {
  token: string;
  fields: URLSearchParams;
  /** The page's own address, without what stands behind its token. */
  base: string;
  language: Language;
  /** An address behind the page's own; it keeps the language that the visitor has chosen. */
  link: (path: string, query?: Record<string, string>) => string;
  /** The ETags that the visitor has. */
  ifNoneMatch: string;
};
/** What a visitor is answered: a page, where to go on, or a file to keep. */
export type Shown =
  | {
      page: string | Promise<string>;
      status?: number;
      headers?: Record<string, string>;
      /** What the page may load, as directives of its policy; our own script unless given. */
      sources?: string;
    }
  | { goTo: string }
  | { file: StoredFile };
export type Show = (ctx: Ctx, sent: Sent) => Promise<Shown>;

/** A form of a page, as an operation of its visitor. */
export type Form<Row> = {
  /** The id of the operation that the form is. */
  operation: string;
  changes: readonly ResourceName[];
  act: (ctx: Ctx, sent: Sent) => Promise<Row>;
  done: (ctx: Ctx, sent: Sent, row: Row) => Promise<Shown>;
  /** The page again, with the refusal. */
  refused: (ctx: Ctx, sent: Sent, problem: Problem) => Promise<Shown>;
};

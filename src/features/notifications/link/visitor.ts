import type { Form, Sent, Shown } from "#api/operations/page.ts";
import type { Actor, Ctx } from "#core/context.ts";
import { Problem } from "#shared/problem.ts";
import { findThing, type Thing } from "./find-thing.ts";
import { type LinkKind, type Target, targetOf } from "./link.ts";
import { renderThingPage } from "./page.tsx";
import type { Word } from "./words.ts";

// Whom the audit log names: the link opens for each person who has the mail.
const MAIL_LINK: Actor = { type: "system", id: "mail_link", name: "link in a mail" };

/** What the link of a mail is about. Programs that look into mails open it too: it changes nothing. */
export async function showThing(ctx: Ctx, sent: Sent, refused = false): Promise<Shown> {
  const target = await targetOf(ctx, sent.token);
  const found = target.isOpen ? await findThing(ctx, target, sent.language) : null;
  const over = target.isOpen ? "gone" : "expired";
  const thing: Thing = found ?? { title: over, end: `why_${over}` };
  const [only, ...others] = thing.links ?? [];
  if (only !== undefined && others.length === 0) return { goTo: only.url };
  const seen = { thing, kind: target.kind, company: ctx.company.name, once: ctx.newToken() };
  const page = renderThingPage({ ...seen, sent, refused });
  return found === null ? { page, status: 410 } : { page };
}

/** The file that came with an application. */
export async function showResume(ctx: Ctx, { token }: Sent): Promise<Shown> {
  const { downloadResume } = await import("#features/recruitment");
  return { file: await downloadResume(ctx, await openTarget(ctx, token, "application")) };
}

const OF_ORDER = ["order", "invoice", "payment", "product", "package", "customer"] as const;
/** The forms of the pages, by the kind of thing. Other pages do not load what they do. */
export const thingForms = {
  lead: formOf("lead", "closeLead", ["lead"], async (ctx, lead, act, seen) => {
    const { closeLead } = await import("#features/leads");
    return closeLead(ctx, lead, { status: act === "converted" ? act : "lost" }, seen);
  }),
  application: formOf("application", "updateApplication", ["application"], async (ctx, one, _act, seen) => {
    const { updateApplication } = await import("#features/recruitment");
    return updateApplication(ctx, one, { status: "in_review" }, seen);
  }),
  order: formOf("order", "resolveOrder", OF_ORDER, async (ctx, order, act, seen) => {
    const { resolveOrder } = await import("#features/storefront");
    return resolveOrder(ctx, order, { action: act === "invoice" ? act : "dismiss", if_updated_at: seen });
  }),
};

/** The one act that ends a thing: refused where the thing is no longer what its page showed. */
function formOf(
  kind: LinkKind,
  operation: string,
  changes: Form<unknown>["changes"],
  press: (ctx: Ctx, thing: { id: number }, act: Word, seen: number) => Promise<unknown>,
): Form<unknown> {
  return {
    ...{ operation, changes },
    async act(ctx, { token, fields, language }) {
      const target = await openTarget(ctx, token, kind);
      const { acts = [], seen } = (await findThing(ctx, target, language)) ?? {};
      const pressed = acts.find((one) => one === fields.get("act"));
      if (seen === undefined || pressed === undefined || String(seen) !== fields.get("seen"))
        throw new Problem("version_conflict");
      const call = { ...ctx.call, auditedMembers: statusOf(kind) };
      return press({ ...ctx, call, actor: MAIL_LINK }, { id: target.id }, pressed, seen);
    },
    done: async (_ctx, { link }) => ({ goTo: link("") }),
    refused: (ctx, sent) => showThing(ctx, sent, true),
  };
}

/** What the audit log keeps of a press. */
function statusOf(kind: LinkKind): string {
  return JSON.stringify({
    status: { kind: "word", reads: kind === "order" ? "orders:read" : "settings:read" },
  });
}

async function openTarget(ctx: Ctx, token: string, kind: LinkKind): Promise<Target> {
  const target = await targetOf(ctx, token);
  if (target.kind !== kind || !target.isOpen) throw new Problem("not_found");
  return target;
}

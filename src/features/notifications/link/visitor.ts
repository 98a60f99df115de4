import type { Form, Sent, Shown } from "#api/operations/page.ts";
import type { Actor, Ctx } from "#core/context.ts";
import { closeLead } from "#features/leads";
import { downloadResume, updateApplication } from "#features/recruitment";
import { resolveOrder } from "#features/storefront";
import { Problem } from "#shared/problem.ts";
import { findThing } from "./find-thing.ts";
import { type LinkKind, type Target, targetOf } from "./link.ts";
import { renderThingPage } from "./page.tsx";
import type { Act } from "./words.ts";

// In the audit log: any person who has the mail.
const MAIL_LINK: Actor = { type: "system", id: "mail_link", name: "link in a mail" };

/** What the link of a mail is about. Programs that look into mails open it too: it changes nothing. */
export async function showThing(ctx: Ctx, sent: Sent, refused = false): Promise<Shown> {
  const target = await targetOf(ctx, sent.token);
  const found = isLive(ctx, target) ? await findThing(ctx, target, sent.language) : "expired";
  const thing = found ?? "gone";
  const isOver = typeof thing === "string";
  const [only, ...others] = (isOver ? undefined : thing.links) ?? [];
  if (only !== undefined && others.length === 0) return { goTo: only.url };
  const { name: company } = ctx.company;
  const page = renderThingPage({ thing, company, sent, once: ctx.newToken(), refused });
  return isOver ? { page, status: 410 } : { page };
}

/** The file that came with an application. */
export async function showResume(ctx: Ctx, { token }: Sent): Promise<Shown> {
  return { file: await downloadResume(ctx, { id: (await liveTarget(ctx, token, "application")).id }) };
}

export const leadForm = formOf("lead", "closeLead", ["lead"], (ctx, id, act, seen) =>
  closeLead(ctx, { id }, { status: act === "converted" ? act : "lost" }, seen),
);

export const applicationForm = formOf(
  "application",
  "updateApplication",
  ["application"],
  (ctx, id, _, seen) => updateApplication(ctx, { id }, { status: "in_review" }, seen),
);

const OF_ORDER = ["order", "invoice", "payment", "product", "package", "customer"] as const;
export const orderForm = formOf("order", "resolveOrder", OF_ORDER, (ctx, id, act, seen) =>
  resolveOrder(ctx, { id }, { action: act === "invoice" ? act : "dismiss", if_updated_at: seen }),
);

/** The one act that ends a thing: refused where the thing is no longer what its page showed. */
function formOf<Row>(
  kind: LinkKind,
  operation: string,
  changes: Form<Row>["changes"],
  act: (ctx: Ctx, id: number, act: Act, seen: number) => Promise<Row>,
): Form<Row> {
  return {
    ...{ operation, changes },
    async act(ctx, { token, fields, language }) {
      const target = await liveTarget(ctx, token, kind);
      const thing = await findThing(ctx, target, language);
      const pressed = thing?.acts.find((one) => one === fields.get("act"));
      const isSeen = thing?.seen !== undefined && String(thing.seen) === fields.get("seen");
      if (thing?.seen === undefined || pressed === undefined || !isSeen)
        throw new Problem("version_conflict");
      return act({ ...ctx, actor: MAIL_LINK }, target.id, pressed, thing.seen);
    },
    done: async (_ctx, { link }) => ({ goTo: link("") }),
    refused: (ctx, sent) => showThing(ctx, sent, true),
  };
}

async function liveTarget(ctx: Ctx, token: string, kind: LinkKind): Promise<Target> {
  const target = await targetOf(ctx, token);
  if (target.kind !== kind || !isLive(ctx, target)) throw new Problem("not_found");
  return target;
}

function isLive({ now }: Ctx, { expiresAt }: Target): boolean {
  return now < expiresAt;
}

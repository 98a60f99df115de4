import { eq } from "drizzle-orm";
import { read } from "#core/write/replay.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { chatappWindows } from "#tables/messaging";
import { activeProvider, requireProvider } from "../providers/active-provider.ts";
import { acceptMessage, type SendCtx } from "./accept.ts";
import type { AcceptedRow } from "./accepted.ts";
import type { ChatappSend } from "./schema.ts";

/** How long after a person's last message free text is delivered. */
const WINDOW_MS = DAY_MS;

/** Accepts a chat-app message. Free text outside a window that is known to be closed is sent, with a warning. */
export async function sendChatapp(ctx: SendCtx, _params: unknown, body: ChatappSend): Promise<AcceptedRow> {
  const { to, content } = body;
  const [found, [window]] = await read(ctx, [
    activeProvider(ctx, "chatapp"),
    ctx.db.select().from(chatappWindows).where(eq(chatappWindows.phone, to)),
  ]);
  const provider = requireProvider(ctx, "chatapp", found);
  const goesAt = body.send_at ?? ctx.now;
  const closed =
    content.type === "text" && window !== undefined && window.lastInboundAt + WINDOW_MS <= goesAt;
  return acceptMessage(
    ctx,
    {
      channel: "chatapp",
      provider,
      details: {
        type: content.type,
        template_name: content.type === "template" ? content.template.name : null,
      },
      content,
      recipients: [{ address: to }],
      sendAt: body.send_at,
    },
    closed ? ["outside_window"] : [],
  );
}

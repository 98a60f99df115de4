import { expect, test } from "vitest";
import type { Ctx } from "#core/context.ts";
import type { Due } from "#core/due.ts";
import { jsonQuery } from "#core/sql/json.ts";
import { holdsDue } from "../../../src/features/bookings/holds/expire-holds.ts";
import { crowdedEndpoints, deliveriesDue } from "../../../src/features/events/deliveries/due.ts";
import { paymentsDue } from "../../../src/features/gateway-payments/events/reconcile.ts";
import { recipientsDue, requeueOverdue } from "../../../src/features/messaging/dispatch/requeue.ts";
import { scheduledDue } from "../../../src/features/messaging/dispatch/scheduled.ts";
import { explain, statementsOf } from "./plans.ts";

test.each<[string, Due, string]>([
  ["scheduled messages", scheduledDue, "messages_scheduled"],
  ["recipients", recipientsDue, "message_recipients_due"],
  ["deliveries", deliveriesDue, "event_deliveries_due"],
  ["holds", holdsDue, "bookings_holds"],
  ["payments", paymentsDue, "payment_intents_open"],
])(
  "what is due of %s is one seek in its index, and so is the next that is not yet",
  async (_what, due, index) => {
    const [statement] = await statementsOf((ctx) => ctx.database.read([jsonQuery(ctx, due.look(ctx))]), {});
    const steps = (await explain(String(statement?.sql), statement?.args)).filter((step) =>
      /SCAN|SEARCH|TEMP/.test(step),
    );
    expect(steps.filter((step) => !/CONSTANT ROW/.test(step))).toEqual([
      expect.stringMatching(new RegExp(`^.*SEARCH .* USING (?:COVERING )?INDEX ${index} \\(`)),
      expect.stringMatching(new RegExp(`^.*SEARCH .* USING (?:COVERING )?INDEX ${index} \\(`)),
    ]);
  },
);

test("the recipients that are queued again are found by their index, however many wait", async () => {
  for (const { sql, args } of await statementsOf((ctx) => requeueOverdue(ctx), {})) {
    const steps = await explain(sql, args);
    expect(
      steps.filter((step) => /SCAN message_recipients|TEMP B-TREE/.test(step)),
      sql,
    ).toEqual([]);
  }
});

test("the deliveries that are queued again, and the endpoints that too much waits for, are found by indexes", async () => {
  const look = (ctx: Ctx) => ctx.database.read([jsonQuery(ctx, crowdedEndpoints.look(ctx))]);
  const acts = [look, deliveriesDue.act, crowdedEndpoints.act];
  for (const act of acts)
    for (const { sql, args } of await statementsOf(act, {})) {
      const steps = await explain(sql, args);
      expect(
        // A company has ten endpoints at most.
        steps.filter((step) => /SCAN event_deliveries|TEMP B-TREE(?! FOR DISTINCT)/.test(step)),
        sql,
      ).toEqual([]);
    }
});

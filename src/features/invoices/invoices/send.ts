import { and, type Column, eq, ne, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { Ctx } from "#core/context.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import {
  type AcceptedRow,
  acceptUnderCeiling,
  activeProvider,
  emailContent,
  newMessageId,
  requireAhead,
  requireProvider,
  selectAccepted,
  storeMessage,
} from "#features/messaging";
import { emailAddress } from "#shared/contact/email-address.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { sendAt } from "#shared/fields/instant.ts";
import { cleanMultilineText } from "#shared/fields/text.ts";
import { pick } from "#shared/pick.ts";
import { Problem } from "#shared/problem.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { profile } from "#tables/company";
import { customers } from "#tables/customers";
import { invoices } from "#tables/invoices";
import { offersPayment, PAY_OFFER } from "../page/pay-offer.ts";
import { invoiceMail } from "./invoice-mail.ts";

export const InvoiceSend = z.object({
  channel: z.literal("email").default("email"),
  email: emailAddress.optional().meta({ description: "The receiver, instead of the customer's address." }),
  emails: z.array(emailAddress).max(10, "must have at most 10 items").optional().describe("More receivers."),
  message: cleanMultilineText({ max: 1_000 }).optional().meta({ description: "A text in the e-mail." }),
  send_at: sendAt,
});
export const SentInvoice = z
  .object({
    id: z.string().meta({ description: "The id of the message. Read the message for its status." }),
    channel: z.literal("email"),
    status: z.literal("queued"),
    invoice_id: z.string(),
    to: z.array(z.string()),
    queued_count: z.int(),
    created_at: z.string(),
    send_at: z.string().optional().meta({ description: "Present if the message was scheduled." }),
  })
  .meta({ id: "SentInvoice" });
export type InvoiceSend = z.infer<typeof InvoiceSend>;

/** A sent invoice: the message that carries it, and the invoice it is of. */
export type SentInvoiceRow = AcceptedRow & { invoice_id: number };

/** E-mails the invoice's hosted page to the addresses given, or else to its customer; a draft is then sent. */
export async function sendInvoice(
  ctx: Ctx,
  { id }: RecordParams,
  body: InvoiceSend,
): Promise<SentInvoiceRow> {
  const [[invoice], found, [seller]] = await read(ctx, [
    ctx.db
      .select({
        ...pick(invoices, "status", "invoiceNumber", "currency", "amountDue", "totalAmount", "dueDate"),
        publicToken: invoices.publicToken,
        ...PAY_OFFER,
        customerName: asIssued<string>("name", customers.name),
        customerEmail: asIssued<string | null>("email", customers.email),
      })
      .from(invoices)
      .innerJoin(customers, eq(customers.id, invoices.customerId))
      .where(eq(invoices.id, id)),
    activeProvider(ctx, "email"),
    ctx.db.select({ name: profile.name }).from(profile),
  ]);
  if (invoice === undefined) throw new Problem("not_found");
  if (invoice.status === "voided") throw new Problem("invoice_voided");
  requireAhead(ctx, body.send_at);
  const addresses = addressesOf(body, invoice.customerEmail);
  const provider = requireProvider(ctx, "email", found);
  const company = seller?.name ?? ctx.company.name;
  const { subject, html } = invoiceMail({
    ...invoice,
    company,
    url: `${ctx.origin}/i/${ctx.company.slug}/${invoice.publicToken}`,
    isPayable: invoice.amountDue > 0 && offersPayment(invoice),
    message: body.message ?? "",
  });
  const messageId = newMessageId(ctx);
  return acceptUnderCeiling(ctx, addresses.length, () =>
    atomic(
      ctx,
      [
        ctx.db
          .update(invoices)
          .set({ status: "sent", sentAt: sql`coalesce(${invoices.sentAt}, ${ctx.now})`, updatedAt: ctx.now })
          .where(and(eq(invoices.id, id), ne(invoices.status, "voided"))),
        refuseIfNone("invoice_voided"),
        ...storeMessage(ctx, messageId, {
          channel: "email",
          provider,
          details: { subject },
          content: emailContent(subject, html),
          recipients: addresses.map((address) => ({ address })),
          sendAt: body.send_at,
        }),
      ],
      sql<SentInvoiceRow>`SELECT json_set((${selectAccepted(messageId)}), '$.invoice_id', ${id})`,
    ),
  );
}

export function renderSentInvoice({ id, invoice_id, recipients, created_at, send_at }: SentInvoiceRow) {
  return {
    id,
    channel: "email" as const,
    status: "queued" as const,
    invoice_id: String(invoice_id),
    to: recipients.map(({ address }) => address),
    queued_count: recipients.length,
    created_at: timestampToWire(created_at),
    ...(send_at == null ? {} : { send_at: timestampToWire(send_at) }),
  };
}

/**
 * For an order's invoice the address that its checkout sent, since the customer's record may be another person's; else
 * the customer's present one.
 */
function asIssued<Text>(field: "name" | "email", column: Column): SQL<Text> {
  return sql<Text>`CASE ${invoices.source} WHEN 'storefront'
    THEN ${invoices.customer} ->> ${sql.raw(`'$.${field}'`)} ELSE ${column} END`;
}

/** The addresses given, each once whatever its case; without any, the customer's. */
function addressesOf({ email, emails = [] }: InvoiceSend, customerEmail: string | null): string[] {
  const given = email === undefined ? emails : [email, ...emails];
  const known = new Map<string, string>();
  for (const address of given)
    if (!known.has(address.toLowerCase())) known.set(address.toLowerCase(), address);
  if (known.size > 0) return [...known.values()];
  if (customerEmail === null) throw new Problem("customer_email_missing");
  return [customerEmail];
}

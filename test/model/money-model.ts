import type { Client } from "@libsql/client/web";
import { type Made, pick } from "./money-calls.ts";
import type { Command } from "./money-commands.ts";

/**
 * What a command that runs alone must answer, by the database before it; null where the model does not say.
 */
export async function predict(database: Client, made: Made, command: Command): Promise<string | null> {
  const value = async (sql: string, id: string | undefined) =>
    id === undefined ? undefined : (await database.execute({ sql, args: [id] })).rows[0]?.[0];
  switch (command.kind) {
    case "refund": {
      const payment = pick(made.payments, command.payment);
      const live = await value("SELECT deleted_at IS NULL FROM payments WHERE id = ?", payment);
      return payment === undefined ? null : live === 1 ? "200" : "404 not_found";
    }
    case "void": {
      const invoice = pick(made.invoices, command.invoice);
      const status = await value("SELECT status FROM invoices WHERE id = ?", invoice);
      return invoice === undefined ? null : status === "voided" ? "409 invoice_voided" : "200";
    }
    case "adjust": {
      const product = pick(made.products, command.product);
      const stock = Number(await value("SELECT current_stock FROM products WHERE id = ?", product));
      return command.increase || stock >= command.quantity * 1_000 ? "201" : "422 insufficient_stock";
    }
    case "rename": {
      const customer = pick(made.customers, command.customer);
      return (await value("SELECT deleted_at FROM customers WHERE id = ?", customer)) === null
        ? "200"
        : "404 not_found";
    }
    case "delete": {
      const customer = pick(made.customers, command.customer);
      if ((await value("SELECT deleted_at FROM customers WHERE id = ?", customer)) !== null)
        return "404 not_found";
      const held = "SELECT count(*) FROM invoices WHERE customer_id = ?";
      return Number(await value(held, customer)) > 0 ? "409 customer_has_dependents" : "200";
    }
    case "pay": {
      const invoice = pick(made.invoices, command.invoice);
      if (invoice === undefined) return null;
      if ((await value("SELECT status FROM invoices WHERE id = ?", invoice)) === "voided")
        return "409 invoice_voided";
      const due = Number(await value("SELECT amount_due FROM invoices WHERE id = ?", invoice));
      return Math.max(2, Math.round((due / 100) * 10 * command.share)) <= due
        ? "201"
        : "422 amount_exceeds_due";
    }
    default:
      return null;
  }
}

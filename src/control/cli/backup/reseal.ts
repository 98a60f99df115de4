import { open, seal } from "./seals.ts";
import { named, type Reader } from "./values.ts";

type Sealed = { table: string; column: string; field: (operation: string) => string };

const row = (table: string, column: string, name = column): Sealed => ({
  table,
  column,
  field: (operation) => `${table}.${name}.${operation}`,
});
const provider = (column: string, name: string): Sealed => ({
  table: "messaging_providers",
  column,
  field: (operation) => `${name} of messaging provider ${operation}`,
});

/** Every column of a company that holds sealed text, and the field that its rows are sealed for. */
export const SEALED: readonly Sealed[] = [
  row("gateway_accounts", "credentials"),
  row("gateway_accounts", "webhook_secret"),
  row("gateway_accounts", "previous_webhook_secret", "webhook_secret"),
  provider("sealed_config", "config"),
  provider("sealed_token", "token"),
  { table: "lead_settings", column: "turnstile_secret", field: () => "lead_settings.turnstile_secret" },
];

/** Seals a company's secrets for the name that it has now; they were sealed for another. Gives how many. */
export async function reseal(stream: Reader, from: string, to: string): Promise<number> {
  let resealed = 0;
  for (const { table, column, field } of SEALED) {
    const [place, sealedIn] = [named(table), named(column)];
    const [operation] = await stream.all("SELECT 1 FROM pragma_table_info(?) WHERE name = 'operation'", [
      table,
    ]);
    const rows = await stream.all(
      `SELECT rowid, ${operation === undefined ? "''" : "operation"}, ${sealedIn} FROM ${place}
      WHERE ${sealedIn} IS NOT NULL`,
    );
    for (const [id = null, made, sealed] of rows) {
      const name = field(String(made));
      const secret = seal(to, name, open(from, name, String(sealed)));
      await stream.all(`UPDATE ${place} SET ${sealedIn} = ? WHERE rowid = ?`, [secret, id]);
      resealed += 1;
    }
  }
  return resealed;
}

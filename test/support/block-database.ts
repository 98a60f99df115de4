import { inject } from "vitest";
import type { TestCompany } from "./company.ts";
import type { ServiceAddress } from "./http.ts";
import { ADMIN_KEY } from "./libsql/index.ts";

/** Blocks a company's database at the server, or lifts the block, as the server's operator does. */
export async function blockDatabase(
  { namespace }: TestCompany,
  { reads, writes }: { reads: boolean; writes: boolean },
  service: ServiceAddress = inject("service"),
): Promise<void> {
  const response = await fetch(`${service.libsqlAdminUrl}/v1/namespaces/${namespace}/config`, {
    method: "POST",
    headers: { Authorization: `Basic ${ADMIN_KEY}`, "Content-Type": "application/json" },
    body: JSON.stringify({ block_reads: reads, block_writes: writes, block_reason: "unpaid since May" }),
  });
  if (!response.ok) throw new Error(await response.text());
}

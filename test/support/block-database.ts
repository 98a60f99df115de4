import { inject } from "vitest";
import type { TestCompany } from "./company.ts";
import type { ServiceAddress } from "./http.ts";
import { askAdmin } from "./libsql/index.ts";

/** Blocks a company's database at the server, or lifts the block, as the server's operator does. */
export async function blockDatabase(
  { namespace }: TestCompany,
  { reads, writes }: { reads: boolean; writes: boolean },
  service: ServiceAddress = inject("service"),
): Promise<void> {
  const config = { block_reads: reads, block_writes: writes, block_reason: "unpaid since May" };
  const path = `/v1/namespaces/${namespace}/config`;
  const response = await askAdmin(service.libsqlAdminUrl, "POST", path, config);
  if (!response.ok) throw new Error(await response.text());
}

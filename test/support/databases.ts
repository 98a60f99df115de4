import type { Client, InValue } from "@libsql/client/web";
import { inject } from "vitest";
import type { ServiceAddress } from "./http.ts";
import type { FaultRule } from "./libsql/faults.ts";
import { keptClient } from "./libsql/kept-client.ts";

/** A client on one namespace of the test's libSQL server: a company's, or `control`. */
export function clientOf(namespace: string, service: ServiceAddress = inject("service")): Client {
  const { libsqlUrl, libsqlToken } = service;
  return keptClient(`${libsqlUrl}/dev/${namespace}/`, libsqlToken);
}

/** The rows of one statement, run straight on the control database. */
export function controlRows(sql: string, ...args: InValue[]): Promise<Record<string, unknown>[]> {
  return rowsIn(clientOf("control"), sql, args);
}

/** The rows of one statement, run straight where a client leads. */
export async function rowsIn(
  client: Client,
  sql: string,
  args: InValue[],
): Promise<Record<string, unknown>[]> {
  const { rows } = await client.execute({ sql, args });
  return rows.map((row) => ({ ...row }));
}

/** Sets the faults of one namespace, also of one that is not made yet. */
export async function setFaults(
  namespace: string,
  rules: FaultRule[],
  service: ServiceAddress = inject("service"),
): Promise<void> {
  const url = `${service.libsqlAdminUrl}/test/faults/${namespace}`;
  const response = await fetch(url, { method: "PUT", body: JSON.stringify(rules) });
  if (!response.ok) throw new Error(`The faults were not set: ${await response.text()}`);
}

/** Requests that each namespace has answered since the server was started; those of the companies' clocks are `looks`. */
export async function requestCounts(
  service: ServiceAddress,
  kind: "requests" | "looks" | "statements" = "requests",
): Promise<Record<string, number>> {
  const response = await fetch(`${service.libsqlAdminUrl}/test/${kind}`);
  return (await response.json()) as Record<string, number>;
}

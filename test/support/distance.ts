import { randomUUID } from "node:crypto";
import { SCOPES } from "#api/operations/scopes.ts";
import type { TestCompany } from "./company.ts";
import { TRIP, type Trip } from "./far.ts";
import { type Answer, type ServiceAddress, send } from "./http.ts";
import type { Prepared } from "./operations.ts";

/** What one call waited for. */
export type Measured = { answer: Answer; trip: Trip; ms: number };

/** Puts what a service asks of others so many milliseconds away; the service was started as a distant one. */
async function setDistance(service: ServiceAddress, ms: number): Promise<void> {
  await send("PUT", `/test/distance/${ms}`, { service });
}

/** One call while all is so far away; one that is `cold` comes with a key that the isolate has not seen. */
export async function callFrom(
  service: ServiceAddress,
  distanceMs: number,
  company: TestCompany,
  { method, path, body }: Prepared,
  cold: boolean,
): Promise<Measured> {
  const key = cold ? await company.key(...SCOPES) : company.admin;
  const headers: Record<string, string> = method === "GET" ? {} : { "Idempotency-Key": randomUUID() };
  await setDistance(service, distanceMs);
  const begun = performance.now();
  const answer = await company.call(method, path, { body, headers, key });
  const ms = performance.now() - begun;
  await setDistance(service, 0);
  return { answer, trip: JSON.parse(answer.headers.get(TRIP) ?? "null") as Trip, ms };
}

/** Lets the isolate know the company's administrator, and the quota of messages what that key has sent. */
export async function warm(company: TestCompany, isSend: boolean): Promise<void> {
  await company.call("GET", "/products/:company/units");
  const mail = { to: "meera@example.com", subject: "Ready", html: "<p>Ready</p>" };
  if (isSend) await company.call("POST", "/messaging/:company/email", { body: mail });
}

import { expect, inject } from "vitest";
import type { TestCompany } from "../../../support/company.ts";
import { type Answer, randomAddress, send } from "../../../support/http.ts";

/** Opens a page without a key. */
export function visit(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return send("GET", path, { headers: { "CF-Connecting-IP": randomAddress(), ...headers } });
}

/** Sends a form of a page, and follows nothing. */
export async function submit(
  path: string,
  fields: Record<string, string>,
): Promise<{ status: number; location: string | null; text: string }> {
  const answer = await fetch(inject("service").url + path, {
    method: "POST",
    redirect: "manual",
    headers: { "CF-Connecting-IP": randomAddress() },
    body: new URLSearchParams(fields),
  });
  return { status: answer.status, location: answer.headers.get("Location"), text: await answer.text() };
}

/** What a page says, in both languages. */
export async function said(path: string): Promise<[english: string, hindi: string]> {
  const [english, hindi] = await Promise.all([visit(path), visit(`${path}?lang=hi`)]);
  return [english.text, hindi.text];
}

/** Opens the payment of a booking's page, and gives the gateway's order of it. */
export async function openPayment(path: string, once = "p"): Promise<string> {
  const { location } = await submit(`${path}/pay`, { once });
  return new URL(String(location)).pathname.split("/").pop() ?? "";
}

/** Expects that a crawler opens all that lies at a page's address and changes nothing by it. */
export async function expectNoChange(company: TestCompany, path: string, ends: string[]): Promise<void> {
  const state = () =>
    Promise.all([
      company.rows("SELECT * FROM bookings ORDER BY id"),
      company.rows("SELECT * FROM payment_intents ORDER BY id"),
      company.rows("SELECT count(*) AS n FROM audit_log"),
      company.rows("SELECT count(*) AS n FROM events"),
    ]);
  const before = await state();
  for (const end of ends) expect((await visit(path + end)).status, end).toBeLessThan(400);
  expect(await state()).toEqual(before);
}

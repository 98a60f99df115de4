import { inject } from "vitest";
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

import { expect } from "vitest";
import type { Answer } from "../support/http.ts";
import { refusedFields } from "./commerce.ts";

/** What the answer that refuses a call has at least: its status, its code, and these members of its body. */
export const refusal = (status: number, code: string, members: object = {}) => ({
  status,
  body: { code, ...members },
});

/** That a call is refused for a field, and by which of the field's codes. */
export const wrongField = (field: string, code?: string) => ({
  status: 422,
  body: { errors: [{ field, ...(code && { code }) }] },
});

/** Expects that a call is refused for these fields and no other, each by its code. */
export function expectRefused(answer: Pick<Answer, "status" | "text">, fields: object): void {
  expect(answer.status, answer.text).toBe(422);
  expect(refusedFields(answer as Answer)).toEqual(fields);
}

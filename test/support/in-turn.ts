import type { Operation } from "#api/operations/operation.ts";
import { operations } from "../../src/wiring/operations.ts";

/**
 * Some of these cases, for each operation others: for what one code does for all operations, so that each meets some of
 * the cases, and all operations together meet each of them.
 */
export function inTurn<Case>(operation: Operation, cases: readonly Case[], count: number): Case[] {
  const first = operations.indexOf(operation) * count;
  return Array.from({ length: count }, (_, at) => cases[(first + at) % cases.length] as Case);
}

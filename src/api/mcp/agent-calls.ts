import type { Admission } from "#core/coordination.ts";

const agentCalls = new WeakMap<Request, Promise<Admission>>();

/**
 * Remembers that an agent makes this call: it writes only with the scope `mcp:write`. It was counted with the agent's
 * message, whose `admission` is its own.
 */
export function markAgentCall(request: Request, admission: Promise<Admission>): void {
  agentCalls.set(request, admission);
}

/** What the message of an agent's call was admitted with; undefined for any other. No header says so, for a caller could leave it out. */
export function agentAdmission(request: Request): Promise<Admission> | undefined {
  return agentCalls.get(request);
}

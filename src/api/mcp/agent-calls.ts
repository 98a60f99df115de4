const agentCalls = new WeakSet<Request>();

/** Remembers that an agent makes this call: it writes only with the scope `mcp:write`. */
export function markAgentCall(request: Request): void {
  agentCalls.add(request);
}

/** Whether an agent makes this call. No header says so, for a caller could leave it out. */
export function isAgentCall(request: Request): boolean {
  return agentCalls.has(request);
}

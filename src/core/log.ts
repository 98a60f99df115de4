export type RequestLine = {
  request_id: string;
  method: string;
  path: string;
  status: number;
  duration_ms: number;
  company?: string | undefined;
  actor?: string | undefined;
  code?: string | undefined;
};

/** One structured line per request; ids only, never contents. */
export function logRequest(line: RequestLine): void {
  console.log(JSON.stringify(line));
}

/** A fault of ours or of a neighbour: logged whole, for nothing of it reaches the client. */
export function logFault(where: string, error: unknown, requestId?: string): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  console.error(JSON.stringify({ fault: where, request_id: requestId, error: text }));
}

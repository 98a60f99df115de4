const PIECE_BYTES = 64 * 1024;
const MOST_BYTES = 128 * 1024 * 1024;
const MOST_MS = 10_000;
const IDLE_MS = 250;

/**
 * Reads on what a refused request still sends, and forgets it: a server that stops reading cuts the connection, and many
 * clients then never see the refusal. Ends with the body, after ten seconds, or once nothing comes for a moment.
 */
export async function drain({ body }: Request): Promise<void> {
  if (body === null || body.locked) return;
  const reader = body.getReader({ mode: "byob" });
  const until = Date.now() + MOST_MS;
  let buffer = new ArrayBuffer(PIECE_BYTES);
  try {
    for (let size = 0; size < MOST_BYTES && Date.now() < until; ) {
      const read = reader.read(new Uint8Array(buffer));
      const piece = await Promise.race([read, scheduler.wait(IDLE_MS)]);
      if (piece === undefined || piece.done || piece.value === undefined) break;
      size += piece.value.byteLength;
      buffer = piece.value.buffer;
    }
    await reader.cancel();
  } catch {
    // The client is gone, and waits for nothing.
  }
}

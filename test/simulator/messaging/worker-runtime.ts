import { scheduler as timers } from "node:timers/promises";

// The Worker's runtime has what Node 24 has not yet.
const bytes = Uint8Array as unknown as Record<string, unknown>;
bytes.fromBase64 ??= (text: string, options?: { alphabet?: BufferEncoding }) =>
  new Uint8Array(Buffer.from(text, options?.alphabet ?? "base64"));
const prototype = Uint8Array.prototype as unknown as Record<string, unknown>;
prototype.toBase64 ??= function (this: Uint8Array, options?: { alphabet?: BufferEncoding }) {
  return Buffer.from(this).toString(options?.alphabet ?? "base64");
};
prototype.toHex ??= function (this: Uint8Array) {
  return Buffer.from(this).toString("hex");
};
(globalThis as Record<string, unknown>).scheduler ??= timers;

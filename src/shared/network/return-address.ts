/**
 * Whether a browser that is sent to the web address goes where a reader of it thinks: no control character, which a
 * parser drops silently, and no user or password before the host.
 */
export function isPlainAddress(text: string): boolean {
  if (/\p{Cc}/u.test(text)) return false;
  const address = URL.parse(text);
  return address === null || (address.username === "" && address.password === "");
}

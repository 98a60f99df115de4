const MAPPED = "0:0:0:0:0:ffff";
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * What a limit by address counts as one client: an IPv4 address, or the /64 of an IPv6 address, which is one
 * household's; an IPv4-mapped one counts as IPv4. Any other text stays as it is.
 */
export function addressGroup(address: string): string {
  const text = address.trim().toLowerCase();
  if (!text.includes(":")) return text;
  const groups = expand(text);
  if (groups === null) return text;
  if (groups.slice(0, 6).join(":") === MAPPED)
    return groups
      .slice(6)
      .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
      .join(".");
  return `${groups.slice(0, NETWORK_GROUPS).join(":")}::/64`;
}

/** The networks around an address group. */
export type WiderGroups = { site: string; network: string };

/** The /56 and the /48 around the /64 of an address group, as providers give them to one line; null around any other. */
export function widerGroups(group: string): WiderGroups | null {
  const [head, end] = group.split("::");
  const [first, second, third, fourth = "", ...more] = (head ?? "").split(":");
  if (end !== "/64" || fourth === "" || more.length > 0) return null;
  const network = `${first}:${second}:${third}`;
  const site = (Number.parseInt(fourth, 16) & 0xff00).toString(16);
  return { site: `${network}:${site}::/56`, network: `${network}::/48` };
}

/** The eight groups of an IPv6 address without leading zeros, or null. */
export function expand(text: string): string[] | null {
  const [head = "", tail, more] = withoutDots(text).split("::");
  if (more !== undefined) return null;
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = GROUPS - before.length - after.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return null;
  const groups = [...before, ...Array<string>(missing).fill("0"), ...after];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/.test(group))) return null;
  return groups.map((group) => Number.parseInt(group, 16).toString(16));
}

/** Writes an IPv4 address at the end as two groups. */
function withoutDots(text: string): string {
  return text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_whole, ...parts) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
}

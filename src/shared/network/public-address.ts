import { expand } from "./address-group.ts";
import { isPrivateIpv4 } from "./public-host.ts";

const IPV4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;
// RFC 5737: for documentation.
const DOCUMENTED = /^(?:192\.0\.2|198\.51\.100|203\.0\.113)\./;

/** Whether an IPv4 or IPv6 address, as a name's record has it, is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  const [, ...parts] = IPV4.exec(address) ?? [];
  if (parts.length > 0) {
    const numbers = parts.map(Number);
    return numbers.every((part) => part <= 255) && !isPrivateIpv4(numbers) && !DOCUMENTED.test(address);
  }
  const groups = address.includes(":") ? expand(address.toLowerCase()) : null;
  return groups !== null && isPublicIpv6(groups.map((group) => Number.parseInt(group, 16)));
}

/**
 * The global unicast addresses (RFC 4291: 2000::/3) without what RFC 6890 takes out of them: protocols (2001::/23, among
 * them Teredo), 6to4, and documentation. IPv4-mapped, unique-local, link-local, NAT64 and multicast ones lie outside.
 */
function isPublicIpv6([first = 0, second = 0]: number[]): boolean {
  if (first >> 13 !== 1) return false;
  if (first === 0x2001) return second >= 0x0200 && second !== 0x0db8;
  return first !== 0x2002 && !(first === 0x3fff && second < 0x1000);
}

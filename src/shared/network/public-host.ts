/** Names of private networks and clusters, and names that stand for no host. */
const PRIVATE_NAME =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|intra|private|lan|home|corp|workgroup|svc|cluster|consul|docker|flycast|test|example|invalid|onion|alt|arpa)$/;

/** DNS services whose names contain the address that they resolve to, or that resolve to this machine. */
const TELLING_SERVICE =
  /(?:^|\.)(?:nip\.io|sslip\.io|xip\.io|xip\.name|ipq\.co|ip6\.name|backname\.io|nip\.direct|traefik\.me|rbndr\.us|1u\.ms|localtest\.me|lvh\.me|vcap\.me|lacolhost\.com|local\.gd|localho\.st|yoogle\.com)$/;

// Four numbers, between dots or dashes, wherever they stand in a name.
const TOLD_ADDRESS = /(?<![0-9])(?=([0-9]{1,3})[.-]([0-9]{1,3})[.-]([0-9]{1,3})[.-]([0-9]{1,3})(?![0-9]))/g;

// RFC 1035, 2.3.1 and 2.3.4: a longer name, a longer label or none between two dots, or one of other characters is no host's.
const MOST_NAME = 253;
const LABEL = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?";
const LABELS = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);

/**
 * Whether a URL's host is a name on the public internet, by its letters: no address, no private name, no name that
 * contains a private address. No name is resolved: workerd's node:dns asks an outside service, and the answer may
 * change anyway.
 */
export function isPublicHost(hostname: string): boolean {
  // The URL parser has turned every notation of an IPv4 address into a dotted one; a dot at the end means another name.
  if (!/[a-z]$/.test(hostname) || !hostname.includes(".")) return false;
  if (hostname.length > MOST_NAME || !LABELS.test(hostname)) return false;
  if (PRIVATE_NAME.test(hostname) || TELLING_SERVICE.test(hostname)) return false;
  return !hostname.matchAll(TOLD_ADDRESS).some(([, ...parts]) => isPrivateIpv4(parts.map(Number)));
}

/** Whether four numbers are an address in a network that RFC 6890 keeps from the public internet. */
export function isPrivateIpv4([first = 0, second = 0, third = 0, fourth = 0]: number[]): boolean {
  if ([first, second, third, fourth].some((part) => part > 255)) return false;
  if (first === 0 || first === 10 || first === 127 || first >= 224) return true;
  if (first === 100) return second >= 64 && second < 128;
  if (first === 169) return second === 254;
  if (first === 172) return second >= 16 && second < 32;
  if (first === 198) return second === 18 || second === 19;
  return first === 192 && (second === 168 || (second === 0 && third === 0));
}

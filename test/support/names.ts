// By the first label of a name; any other has a public address.
const RECORDS: Record<string, [type: number, data: string][]> = {
  nowhere: [],
  loopback: [[1, "127.0.0.1"]],
  half: [
    [1, "93.184.215.14"],
    [1, "10.0.0.8"],
  ],
  metadata: [[1, "169.254.169.254"]],
  mapped: [[28, "::ffff:10.0.0.8"]],
  unique: [[28, "fd00::8"]],
  alias: [
    [5, "other.example.com."],
    [1, "93.184.215.14"],
  ],
};

// RFC 1035, 4.1.1: its servers failed, and there is no such name.
const STATUSES: Record<string, number> = { broken: 2, nowhere: 3 };

/** The records of a name, as resolvers over HTTPS give them in JSON. */
export function recordsOf(query: URLSearchParams): object {
  const [label = ""] = (query.get("name") ?? "").split(".");
  const asked = query.get("type") === "A" ? 1 : 28;
  const known = RECORDS[label] ?? [[1, "93.184.215.14"]];
  const Answer = known
    .filter(([type]) => type === asked || type === 5)
    .map(([type, data]) => ({ name: query.get("name"), type, TTL: 300, data }));
  return { Status: STATUSES[label] ?? 0, Answer };
}

import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { credentials, openCompany } from "../support/company.ts";

const SIZE = 5_000_000;

const company = await openCompany();

/** Sends a request to its last byte and reads only then, as many clients do; a connection that is cut meanwhile fails. */
async function sendFirst(path: string, headers: Record<string, string>): Promise<string> {
  const { hostname, port, host } = new URL(company.url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const lines = Object.entries({
    Host: host,
    "Content-Length": String(SIZE),
    Connection: "close",
    ...headers,
  });
  socket.write(
    `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
  );
  for (let sent = 0; sent < SIZE; sent += 100_000) {
    if (socket.destroyed) throw new Error(`The connection was cut after ${sent} bytes`);
    if (!socket.write("x".repeat(100_000)))
      await Promise.race([once(socket, "drain"), once(socket, "close")]);
  }
  return text(socket);
}

test.each([
  ["too large", "/v1/customers/:company", {}, 413, "payload_too_large"],
  ["without credentials", "/v1/customers/:company", { "X-Client-Id": "" }, 401, "invalid_credentials"],
  ["that no operation takes", "/v1/nothing", {}, 404, "route_not_found"],
  ["at a page", "/b/:company/token", {}, 405, "method_not_allowed"],
])("a body %s is refused with an answer, never a cut connection", async (_, path, headers, status, code) => {
  const json = { "Content-Type": "application/json", ...credentials(company.admin), ...headers };
  for (let again = 0; again < 3; again += 1) {
    const answer = await sendFirst(path.replace(":company", company.slug), json);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain(code);
  }
});

// The load, as a process of its own: keeps every connection busy with one request, then prints what it saw.
// A bare socket costs half of what a full client does; on a small machine that time is taken from the server.
import { connect, type Socket } from "node:net";
import { createHistogram } from "node:perf_hooks";
import { numbered } from "../numbered.ts";

/** `request` is sent as it stands, and every reply must have `status`. */
export type Order = {
  url: string;
  request: string;
  status: number;
  connections: number;
  seconds: number;
  /** The number of the first request, where each has one of its own. */
  first: number | null;
};
/** Requests in all, a second, and their times in milliseconds; `errors`: replies of another status. */
export type Tally = Record<"requests" | "rate" | "p50" | "p99" | "max" | "errors", number>;

const HEAD_END = "\r\n\r\n";
const order: Order = JSON.parse(process.argv[2] ?? "{}");
const bytes = Buffer.from(order.request);
let number = order.first ?? 0;
const times = createHistogram();
let errors = 0;

const { hostname, port } = new URL(order.url);
const sockets = await Promise.all(
  Array.from({ length: order.connections }, () => open(hostname, Number(port))),
);
const start = performance.now();
await Promise.all(sockets.map((socket) => keepBusy(socket, start + order.seconds * 1000)));
const seconds = (performance.now() - start) / 1000;
for (const socket of sockets) socket.destroy();
const tally: Tally = {
  requests: times.count,
  rate: times.count / seconds,
  p50: times.percentile(50) / 1000,
  p99: times.percentile(99) / 1000,
  max: times.max / 1000,
  errors,
};
process.stdout.write(JSON.stringify(tally));

function open(host: string, to: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: to, noDelay: true }, () => resolve(socket));
    socket.once("error", reject);
  });
}

function keepBusy(socket: Socket, deadline: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    let sentAt = 0;
    const send = () => {
      sentAt = performance.now();
      socket.write(order.first === null ? bytes : numbered(order.request, number));
      number += 1;
    };
    socket.on("close", () => reject(new Error("The server closed a connection")));
    socket.on("data", (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const status = statusOfWhole(received);
      if (status === undefined) return;
      times.record(Math.max(1, Math.round((performance.now() - sentAt) * 1000)));
      if (status !== order.status) errors += 1;
      received = Buffer.alloc(0);
      if (performance.now() < deadline) send();
      else resolve();
    });
    send();
  });
}

/** The status of a reply that has arrived whole; undefined while some of it is missing. */
function statusOfWhole(received: Buffer): number | undefined {
  const end = received.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const head = received.toString("latin1", 0, end);
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  if (length === undefined) throw new Error(`A reply names no length:\n${head}`);
  return received.length < end + HEAD_END.length + Number(length) ? undefined : Number(head.slice(9, 12));
}

// Runs the libSQL server as a process of its own; it ends with its parent (stdin closed) and on SIGTERM.
import { env } from "node:process";
import { startLibsqlServer } from "./server.ts";

const server = await startLibsqlServer({
  dataDir: required("LIBSQL_DATA_DIR"),
  token: required("LIBSQL_TOKEN"),
  port: Number(env.LIBSQL_PORT ?? 0),
  adminPort: Number(env.LIBSQL_ADMIN_PORT ?? 0),
  synchronous: env.LIBSQL_SYNCHRONOUS === "OFF" ? "OFF" : "FULL",
  faults: env.LIBSQL_FAULTS === "1",
});

process.stdin.on("end", end).resume();
process.on("SIGTERM", end);
process.stdout.write(`${JSON.stringify({ url: server.url, adminUrl: server.adminUrl })}\n`);

function end(): void {
  void server.stop().then(() => process.exit(0));
}

function required(name: string): string {
  const value = env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

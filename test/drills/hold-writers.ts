// Keeps all other writers of a database waiting, as sqld's lost writer does, until the server has ended: sqld takes its write
// lock from a connection after 5 seconds, and six take it in turn. hold-writers.ts DATABASE
import { setTimeout as wait } from "node:timers/promises";

const HOLDERS = 6;
const HELD_MS = 5_500;
const { SQLD_DATABASE_URL = "", SQLD_DATABASE_TOKEN = "" } = process.env;
const url = `${SQLD_DATABASE_URL.replace("{namespace}", process.argv[2] ?? "")}v2/pipeline`;
const body = JSON.stringify({ requests: [{ type: "execute", stmt: { sql: "BEGIN IMMEDIATE" } }] });

async function hold(): Promise<never> {
  for (;;) {
    const headers = { Authorization: `Bearer ${SQLD_DATABASE_TOKEN}` };
    const { ok } = await fetch(url, { method: "POST", headers, body });
    if (!ok) throw new Error(`${url} refuses the connection`);
    await wait(HELD_MS);
  }
}

await Promise.all(Array.from({ length: HOLDERS }, hold));

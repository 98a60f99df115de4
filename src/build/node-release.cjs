// Plain JavaScript of any age, loaded before all else: an older Node cannot even read the rest.
"use strict";

const { engines } = require("../../package.json");

const needed = Number(/\d+/.exec(engines.node)[0]);
const [major] = process.versions.node.split(".").map(Number);

if (major < needed) {
  process.stderr.write(
    `This project runs on Node ${needed} or newer, and this is Node ${process.versions.node} (${process.execPath}).\n` +
      (process.platform === "linux"
        ? "npm ci brings the right one along: run it again, without --omit=optional, and start by npm.\n"
        : `Get Node ${needed} from https://nodejs.org, or run: nvm install ${needed}\n`),
  );
  process.exit(1);
}

// The sources are compiled once, not by every command and each process that it starts.
const { enableCompileCache } = require("node:module");
const { join } = require("node:path");
process.env.NODE_COMPILE_CACHE =
  process.env.NODE_COMPILE_CACHE || join(__dirname, "../../node_modules/.cache/node");
enableCompileCache();
require("./from-sql/make.ts").makeFromSql();

// Runs a command until its own standard input closes, then ends it and all it has started. That input is a pipe from
// `npm start`, which breaks however that process ends, SIGKILL included. Started as the leader of a process group.
import { spawn } from "node:child_process";

const PATIENCE_MS = 1_000;

const [command = "", ...parameters] = process.argv.slice(2);
const child = spawn(command, parameters, { stdio: ["ignore", "inherit", "inherit"] });
child.once("error", endGroup).once("exit", endGroup);
process.stdin.once("close", endChild).resume();

function endChild(): void {
  child.kill("SIGTERM");
  setTimeout(endGroup, PATIENCE_MS);
}

/** This process is one of the group, and ends with it. */
function endGroup(): void {
  process.kill(0, "SIGKILL");
}

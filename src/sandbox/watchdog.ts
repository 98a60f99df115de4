// Ends a process group once the process that started both is gone, however it went: its pipe to here closes.
const group = Number(process.argv[2]);
const GRACE_MS = 1_500;

process.on("SIGINT", () => undefined);
process.stdin.resume().on("end", () => {
  signal("SIGTERM");
  setTimeout(() => {
    signal("SIGKILL");
    process.exit();
  }, GRACE_MS);
});

function signal(name: NodeJS.Signals): void {
  try {
    process.kill(-group, name);
  } catch {
    // The group has ended already.
  }
}

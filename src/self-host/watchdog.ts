// Ends this process where the service has not answered for a minute: systemd or the container's host starts it again.
// A thread of its own, because the main one may hang.
import { writeSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { workerData } from "node:worker_threads";

const EVERY_MS = 5_000;
const STDERR = 2;

type Watched = { url: string; patienceMs: number };
const { url, patienceMs } = workerData as Watched;
let answeredAt = performance.now();

while (performance.now() - answeredAt < patienceMs) {
  const signal = AbortSignal.timeout(EVERY_MS);
  // Any answer is a sign of life.
  const answered = await fetch(url, { signal }).then(
    (answer) => answer.body?.cancel().then(() => true) ?? true,
    () => false,
  );
  if (answered) answeredAt = performance.now();
  await wait(Math.min(EVERY_MS, patienceMs / 4));
}
writeSync(STDERR, `The service has not answered for ${patienceMs / 1_000} seconds: it ends\n`);
process.kill(process.pid, "SIGKILL");

import { setTimeout as sleep } from "node:timers/promises";

const LOOK_MS = 3;

type Usage = { usedSize: number; backingStorageSize: number };

/** The heap and the buffers of our own Worker's isolate, as the runtime's inspector reports them. */
export async function openHeap(inspector: URL) {
  const list = new URL("/json", inspector);
  list.protocol = "http:";
  const targets = (await (await fetch(list)).json()) as { id: string; webSocketDebuggerUrl: string }[];
  const ours = targets.find(({ id }) => id.startsWith("core:user"));
  const socket = new WebSocket(ours?.webSocketDebuggerUrl ?? "");
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  const waiting = new Map<number, (usage: Usage) => void>();
  socket.addEventListener("message", ({ data }) => {
    const { id, result } = JSON.parse(String(data));
    waiting.get(id)?.(result);
  });
  let last = 0;
  const ask = (method: string): Promise<Usage> => {
    last += 1;
    const id = last;
    const answer = new Promise<Usage>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method }));
    return answer;
  };
  const megabytes = async (): Promise<number> => {
    const { usedSize, backingStorageSize } = await ask("Runtime.getHeapUsage");
    return (usedSize + backingStorageSize) / 1_000_000;
  };
  return {
    megabytes,
    /** Collects garbage; the inspector does so only while the isolate runs something, such as what `touch` asks. */
    async collect(touch: () => Promise<unknown>): Promise<void> {
      let isCollected = false;
      const collected = ask("HeapProfiler.collectGarbage").then(() => {
        isCollected = true;
      });
      while (!isCollected) await Promise.race([collected, touch()]);
    },
    /** The most that was held while the work went on, and after it, garbage included; as often as the isolate has time to say. */
    async peakDuring(work: () => Promise<unknown>): Promise<number> {
      let peak = 0;
      let isDone = false;
      const done = work().finally(() => {
        isDone = true;
      });
      while (!isDone) {
        peak = Math.max(peak, await megabytes());
        await Promise.race([done, sleep(LOOK_MS)]);
      }
      await done;
      return Math.max(peak, await megabytes());
    },
    close: () => socket.close(),
  };
}

type Usage = { usedSize: number; backingStorageSize: number };

/** The heap and the buffers of our own Worker's isolate, which the runtime's inspector tells. */
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
  return {
    async megabytes(): Promise<number> {
      last += 1;
      const id = last;
      socket.send(JSON.stringify({ id, method: "Runtime.getHeapUsage" }));
      const { usedSize, backingStorageSize } = await new Promise<Usage>((resolve) =>
        waiting.set(id, resolve),
      );
      return (usedSize + backingStorageSize) / 1_000_000;
    },
    close: () => socket.close(),
  };
}

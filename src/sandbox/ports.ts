import { createServer } from "node:net";

const HOST = "127.0.0.1";

/** A port that nothing listens on now. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Throws one clear line when a port is taken; `variable` is how to choose another. */
export async function requireFreePort(port: number, variable: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", () => reject(new Error(`Port ${port} is taken: set ${variable} to another one`)));
    server.listen(port, HOST, resolve);
  });
  await new Promise((resolve) => server.close(resolve));
}

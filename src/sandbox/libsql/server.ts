import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdminHandler } from "./admin-port.ts";
import { createDataHandler } from "./data-port.ts";
import type { Synchronous } from "./database.ts";
import { Faults } from "./faults.ts";
import { HttpRefusal, sendJson } from "./http.ts";
import { Namespaces } from "./namespaces.ts";

export type LibsqlServer = { url: string; adminUrl: string; stop(): Promise<void> };

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Starts a libSQL server on this machine that answers the paths of sqld. */
export async function startLibsqlServer(options: {
  dataDir: string;
  token: string;
  adminToken?: string;
  port?: number;
  adminPort?: number;
  synchronous?: Synchronous;
  faults?: boolean;
}): Promise<LibsqlServer> {
  const namespaces = new Namespaces(options.dataDir, options.synchronous ?? "FULL");
  const faults = new Faults();
  const requests = new Map<string, number>();
  const data = serve(createDataHandler({ namespaces, token: options.token, faults, requests }));
  const admin = serve(
    createAdminHandler({
      namespaces,
      token: options.adminToken,
      faults: options.faults ? faults : undefined,
      requests,
    }),
  );
  const stop = async () => {
    await Promise.all([close(data), close(admin)]);
    namespaces.closeAll();
  };
  try {
    const url = await listen(data, options.port ?? 0);
    const adminUrl = await listen(admin, options.adminPort ?? 0);
    return { url, adminUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

// Connections are never ended for idleness: a client would meet a reset that no test asked for.
function serve(handler: Handler): Server {
  return createServer({ keepAliveTimeout: 0 }, (request, response) => {
    handler(request, response).catch((error: unknown) => {
      const { status, body } =
        error instanceof HttpRefusal ? error : { status: 500, body: { error: `Internal Error: ${error}` } };
      sendJson(response, status, body);
    });
  });
}

function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

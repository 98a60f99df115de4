import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Configuration } from "../configuration.ts";
import type { DataFolder } from "../data-folder/data-folder.ts";
import { messageParts } from "../message-providers/index.ts";
import { bookingPart } from "../site/booking/part.ts";
import { formParts } from "../site/forms/part.ts";
import { webhookParts } from "../webhook-receiver/index.ts";
import { homePage } from "./home-page.ts";
import { filledReference } from "./reference.ts";
import { refusalOf, refusalOfKeys } from "./same-origin.ts";
import { storefrontParts } from "./shop-and-gateways.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Single pages, by method and path. */
function routes(configuration: Configuration, folder: DataFolder): Map<string, Handler> {
  return new Map<string, Handler>([
    ["GET /", (_, response) => sendPage(response, homePage(configuration))],
    [
      "GET /reference.json",
      ({ headers }, response) => {
        const refusal = refusalOfKeys(headers, configuration);
        if (refusal === undefined) return sendReference(response, folder, configuration);
        sendText(response, 403, refusal);
      },
    ],
  ]);
}

/** What the reference page has filled in. */
async function sendReference(
  response: ServerResponse,
  folder: DataFolder,
  configuration: Configuration,
): Promise<void> {
  const filled = await filledReference(folder, configuration);
  if (filled === undefined) sendText(response, 404, "The demo company is not there yet.");
  else response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(filled));
}

/** The stand-ins for outside services, and the pages to try, by the prefix of their paths. */
function parts(
  configuration: Configuration,
  folder: DataFolder,
  messages: Record<string, Handler>,
): [prefix: string, handler: Handler][] {
  return Object.entries({
    ...storefrontParts(configuration, folder),
    ...bookingPart(configuration, folder),
    ...formParts(configuration, folder),
    ...messages,
    ...webhookParts(configuration, folder),
  });
}

/** Serves the routes and parts on the sandbox's port. */
export async function startProviders(
  configuration: Configuration,
  folder: DataFolder,
): Promise<AsyncDisposable> {
  const table = routes(configuration, folder);
  const messages = messageParts(configuration, folder);
  const prefixes = parts(configuration, folder, messages.parts);
  const server = createServer(async (request, response) => {
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    const handler =
      table.get(`${request.method} ${path}`) ?? prefixes.find(([prefix]) => path.startsWith(prefix))?.[1];
    const refusal = refusalOf(request, configuration);
    try {
      if (refusal !== undefined) sendText(response, 403, refusal);
      else if (handler === undefined) sendText(response, 404, "Nothing is here.");
      else await handler(request, response);
    } catch (error) {
      console.error(error);
      sendText(response, 500, "The sandbox failed; the terminal shows why.");
    }
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject).listen(configuration.sandboxPort, "127.0.0.1", resolve);
  await promise;
  return {
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      messages.close();
    },
  };
}

function sendPage(response: ServerResponse, html: string): void {
  response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(html);
}

function sendText(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, { "Content-Type": "text/plain" }).end(`${text}\n`);
}

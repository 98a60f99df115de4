import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Configuration } from "../configuration.ts";
import type { DataFolder } from "../data-folder/data-folder.ts";
import { messageParts } from "../message-providers/index.ts";
import { bookingPart } from "../site/booking/part.ts";
import { formParts } from "../site/forms/part.ts";
import { webhookParts } from "../webhook-receiver/index.ts";
import { homePage } from "./home-page.ts";
import { sendJson } from "./page-files.ts";
import { filledReference } from "./reference.ts";
import { refusalOf, refusalOfKeys } from "./same-origin.ts";
import { storefrontParts } from "./shop-and-gateways.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** What the reference page has filled in. */
async function sendReference(
  { headers }: IncomingMessage,
  response: ServerResponse,
  folder: DataFolder,
  configuration: Configuration,
): Promise<void> {
  const refusal = refusalOfKeys(headers, configuration);
  if (refusal !== undefined) return sendText(response, 403, refusal);
  const filled = await filledReference(folder, configuration);
  if (filled === undefined) sendText(response, 404, "The demo company is not there yet.");
  else sendJson(response, 200, filled);
}

/** Serves the stand-ins for outside services, and the pages to try, on the sandbox's port. */
export async function startProviders(
  configuration: Configuration,
  folder: DataFolder,
): Promise<AsyncDisposable> {
  const messages = messageParts(configuration, folder);
  const pages: Record<string, Handler> = {
    "GET /": (_, response) => sendPage(response, homePage(configuration)),
    "GET /reference.json": (request, response) => sendReference(request, response, folder, configuration),
  };
  const parts = Object.entries<Handler>({
    ...storefrontParts(configuration, folder),
    ...bookingPart(configuration, folder),
    ...formParts(configuration, folder),
    ...messages.parts,
    ...webhookParts(configuration, folder),
  });
  const server = createServer(async (request, response) => {
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    const handler =
      pages[`${request.method} ${path}`] ?? parts.find(([prefix]) => path.startsWith(prefix))?.[1];
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
  await once(server.listen(configuration.sandboxPort, "127.0.0.1"), "listening");
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

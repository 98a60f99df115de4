import type { IncomingMessage, ServerResponse } from "node:http";
import type { Configuration } from "../configuration.ts";
import { addressesOf } from "../data-folder/credentials.ts";
import type { DataFolder } from "../data-folder/data-folder.ts";
import { messageProviders } from "./routes.ts";

const APP_SECRET = "sandbox-app-secret";

/** The message providers' interfaces, and the page of what they were sent, by the prefixes of their paths; `close` keeps it. */
export function messageParts(configuration: Configuration, folder: DataFolder) {
  const callbackUrl = `${addressesOf(configuration).base}/webhooks/chatapp`;
  const file = folder.file("inbox.json");
  const { handle, close } = messageProviders({ chatapp: { callbackUrl, secret: APP_SECRET }, file });
  process.once("exit", close);
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    await handle(request, response);
  };
  return { parts: { "/providers/": answer, "/messages": answer }, close };
}

/** What lets the Worker take the stand-ins for the providers. */
export function messageVariables(configuration: Configuration) {
  return {
    PUBLIC_ORIGIN: addressesOf(configuration).host,
    MESSAGING_API_BASE: `http://127.0.0.1:${configuration.sandboxPort}/providers`,
    PLATFORM_MAIL_FROM: "no-reply@platform.example",
    CHATAPP_VERIFY_TOKEN: "sandbox-verify-token",
    CHATAPP_APP_SECRET: APP_SECRET,
  };
}

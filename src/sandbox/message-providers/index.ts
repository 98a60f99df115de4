import type { IncomingMessage, ServerResponse } from "node:http";
import type { Configuration } from "../configuration.ts";
import { addressesOf } from "../data-folder/credentials.ts";
import { messageProviders } from "./routes.ts";

const APP_SECRET = "sandbox-app-secret";

/** The message providers' interfaces, and the page of what they were sent, by the prefixes of their paths. */
export function messageParts(configuration: Configuration) {
  const callbackUrl = `${addressesOf(configuration).base}/webhooks/chatapp`;
  const handle = messageProviders({ chatapp: { callbackUrl, secret: APP_SECRET } });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    await handle(request, response);
  };
  return { "/providers/": answer, "/messages": answer };
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

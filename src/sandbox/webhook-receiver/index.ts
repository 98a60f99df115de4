import type { Configuration } from "../configuration.ts";
import type { DataFolder } from "../data-folder/data-folder.ts";
import { Receiver } from "./receiver.ts";
import { webhookReceiver } from "./routes.ts";

/** The receiver of webhooks and its page, by the prefix of their paths. */
export function webhookParts(configuration: Configuration, folder: DataFolder) {
  const receiver = new Receiver({
    secrets: {
      known: () => folder.memory.webhook_secrets ?? {},
      keep: (name, secret) => knowSecret(folder, name, secret),
    },
  });
  return { "/webhooks": webhookReceiver(receiver, receiverPrefix(configuration)) };
}

/** What lets the Worker deliver to the receiver. */
export function webhookVariables(configuration: Configuration) {
  return { SANDBOX_RECEIVER: receiverPrefix(configuration) };
}

/** The address of a receiver, as the Worker reaches it, before its name. */
export function receiverPrefix({ sandboxPort }: Pick<Configuration, "sandboxPort">): string {
  return `http://127.0.0.1:${sandboxPort}/webhooks/`;
}

/** Keeps the secret of the endpoint that calls a receiver, so that a restart still checks its signatures. */
export function knowSecret(folder: DataFolder, name: string, secret: string): void {
  folder.remember({ webhook_secrets: { ...folder.memory.webhook_secrets, [name]: secret } });
}

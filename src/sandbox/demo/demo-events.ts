import type { Api, Data } from "../api.ts";
import type { DataFolder } from "../data-folder/data-folder.ts";
import { knowSecret } from "../webhook-receiver/index.ts";
import { TRADERS } from "./demo-data.ts";

type Endpoint = { id: string; url: string };
type Issued = Data<{ secret: string }>;

// Its receiver in the sandbox.
const NAME = TRADERS.slug;

/** Lets the demo company send its events to the receiver of this start; `prefix` is the receiver's address before its name. */
export async function connectReceiver(api: Api, folder: DataFolder, prefix: string): Promise<void> {
  const path = `/settings/${TRADERS.slug}/event-endpoints`;
  const url = prefix + NAME;
  const { data: endpoints } = await api.get<Data<Endpoint[]>>(path);
  // An earlier start may have had another port.
  const there = endpoints.find((endpoint) => new URL(endpoint.url).pathname === new URL(url).pathname);
  if (there === undefined) {
    const { data } = await api.post<Issued>(path, {
      url,
      types: ["*"],
      description: "The sandbox's receiver",
    });
    knowSecret(folder, NAME, data.secret);
    return;
  }
  if (there.url !== url) await api.patch(`${path}/${there.id}`, { url });
  if (folder.memory.webhook_secrets?.[NAME] !== undefined) return;
  // The start that made it died before it had kept the secret, which is shown once.
  const { data } = await api.post<Issued>(`${path}/${there.id}/rotate`, { overlap_seconds: 0 });
  knowSecret(folder, NAME, data.secret);
}

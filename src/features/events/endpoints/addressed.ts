import { type JsonRow, jsonObject, once } from "#platform/sql/json.ts";
import { eventEndpoints as endpoints } from "./tables.ts";

const shape = {
  id: endpoints.id,
  operation: endpoints.operation,
  url: endpoints.url,
  sealed_secret: endpoints.sealedSecret,
  previous_sealed_secret: endpoints.previousSealedSecret,
  previous_secret_expires_at: endpoints.previousSecretExpiresAt,
  checked_at: endpoints.checkedAt,
};
/** All that sending to an endpoint takes. */
export type AddressedEndpoint = JsonRow<typeof shape>;
export const addressedEndpoint = once(() => jsonObject(shape));

import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { eventEndpoints as endpoints } from "#tables/events";

const shape = {
  id: endpoints.id,
  operation: endpoints.operation,
  url: endpoints.url,
  sealed_secret: endpoints.encryptedSecret,
  previous_sealed_secret: endpoints.previousEncryptedSecret,
  previous_secret_expires_at: endpoints.previousSecretExpiresAt,
  checked_at: endpoints.checkedAt,
};
/** All that sending to an endpoint takes. */
export type AddressedEndpoint = JsonRow<typeof shape>;
export const addressedEndpoint = once(() => jsonObject(shape));

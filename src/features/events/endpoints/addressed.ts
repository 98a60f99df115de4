import { columnsNamed } from "#core/sql/columns.ts";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { eventEndpoints as endpoints } from "#tables/events";

const shape = {
  ...columnsNamed(endpoints, "id", "operation", "url", "previous_secret_expires_at", "checked_at"),
  sealed_secret: endpoints.encryptedSecret,
  previous_sealed_secret: endpoints.previousEncryptedSecret,
};
/** All that sending to an endpoint takes. */
export type AddressedEndpoint = JsonRow<typeof shape>;
export const addressedEndpoint = once(() => jsonObject(shape));

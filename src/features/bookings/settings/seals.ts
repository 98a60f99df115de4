import { sql } from "drizzle-orm";
import { sealedKind } from "#platform/secrets/sealed-kind.ts";
import { bookingSettings } from "./tables.ts";

export const puzzleSecrets = sealedKind("booking_settings.turnstile_secret", {
  table: bookingSettings,
  id: bookingSettings.id,
  column: bookingSettings.turnstileSecret,
  key: sql`''`,
});

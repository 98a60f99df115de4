import { sql } from "drizzle-orm";
import { secretKind } from "#core/secrets/secret-kind.ts";
import { bookingSettings } from "#tables/bookings";

export const puzzleSecrets = secretKind("booking_settings.turnstile_secret", {
  table: bookingSettings,
  id: bookingSettings.id,
  column: bookingSettings.turnstileSecret,
  key: sql`''`,
});

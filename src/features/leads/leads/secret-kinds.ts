import { sql } from "drizzle-orm";
import { secretKind } from "#core/secrets/secret-kind.ts";
import { leadSettings } from "#tables/leads";

export const turnstileSecrets = secretKind("lead_settings.turnstile_secret", {
  table: leadSettings,
  id: leadSettings.id,
  column: leadSettings.turnstileSecret,
  key: sql`''`,
});

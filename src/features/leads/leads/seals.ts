import { sql } from "drizzle-orm";
import { sealedKind } from "#platform/secrets/sealed-kind.ts";
import { leadSettings } from "./tables.ts";

export const turnstileSecrets = sealedKind("lead_settings.turnstile_secret", {
  table: leadSettings,
  id: leadSettings.id,
  column: leadSettings.turnstileSecret,
  key: sql`''`,
});

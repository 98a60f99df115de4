/** A right that a write asks for beside that of its operation: one of `anyOf`, where it has one of the members `of`. */
type Need = { anyOf: readonly [string, ...string[]]; of?: readonly string[] };
/** The notices of another address that notifications go to, of another account that is paid to, and of other settings that matter as much: no setting, opt-out or suppression keeps them from their reader, and their text is fixed. */
export const NOTICES = ["receiver_changed", "payee_changed", "setting_changed"] as const;

/** Whether a rule of notifications is of such a notice. */
export function isNotice(rule: string | null | undefined): boolean {
  return (NOTICES as readonly unknown[]).includes(rule);
}

/** What the company is notified of when it changes: columns of a table. Of `secrets` only that they changed is said. */
export type Told = {
  rule: "payee_changed" | "setting_changed";
  table: string;
  /** By default its column `id`. */
  id?: string;
  shows: readonly string[];
  secrets?: readonly string[];
};
type Setting = {
  told?: Told | readonly Told[];
  /** The members that name an address, which is notified when another takes its place. */
  tellsFormer?: readonly string[];
  needs?: readonly Need[];
};

const PAYEE = [
  "upi_id",
  "bank_name",
  "bank_account_name",
  "bank_account_number",
  "bank_ifsc",
  "bank_swift",
  "invoices_payable_online",
] as const;
const LETTERHEAD = ["name", "address", "invoice_prefix", "lut_number"] as const;
const RECEIVER = ["email", "phone"] as const;

/**
 * Of a setting, as the paths of its operations name it: who is notified of a change, and what right that asks for. Those
 * without a notice stand in `docs/notifications.md`.
 */
export const SETTINGS = {
  profile: {
    told: [
      { rule: "payee_changed", table: "profile", shows: PAYEE },
      { rule: "setting_changed", table: "profile", shows: [...LETTERHEAD, ...RECEIVER] },
    ],
    tellsFormer: RECEIVER,
    needs: [
      { anyOf: ["settings:read"], of: RECEIVER },
      { anyOf: ["orders:read"], of: RECEIVER },
      // The links of mails resolve orders.
      { anyOf: ["orders:write"], of: RECEIVER },
      { anyOf: ["payments:write"], of: PAYEE },
    ],
  },
  "payment-gateways": {
    told: {
      rule: "payee_changed",
      table: "gateway_accounts",
      shows: ["kind", "mode", "currencies", "priority", "is_active", "last_four"],
      secrets: ["credentials", "webhook_secret"],
    },
    needs: [{ anyOf: ["payments:write"] }],
  },
  "refund-settings": {
    told: { rule: "setting_changed", table: "refund_settings", shows: ["auto_refund"] },
    needs: [{ anyOf: ["refunds:write"] }],
  },
  "booking-settings": {
    told: { rule: "setting_changed", table: "booking_settings", shows: ["refund_on_cancel"] },
    needs: [{ anyOf: ["refunds:write"], of: ["refund_on_cancel"] }],
  },
  "payment-modes": {
    told: { rule: "payee_changed", table: "payment_modes", shows: ["name", "is_active"] },
  },
  "sms-templates": {
    told: { rule: "setting_changed", table: "sms_templates", shows: ["text"] },
  },
  "messaging-providers": {
    told: {
      rule: "setting_changed",
      table: "messaging_providers",
      shows: ["channel", "kind", "config", "is_active", "is_default"],
      secrets: ["sealed_config", "sealed_token"],
    },
    needs: [
      { anyOf: ["messages:read"], of: ["config"] },
      { anyOf: ["orders:write"], of: ["config"] },
    ],
  },
  "event-endpoints": {
    told: {
      rule: "setting_changed",
      table: "event_endpoints",
      shows: ["url", "types", "disabled_reason", "secret_last_four"],
      secrets: ["sealed_secret"],
    },
  },
  "calendar-feeds": {
    told: {
      rule: "setting_changed",
      table: "calendar_feeds",
      shows: ["name", "instructor_id", "detail"],
      secrets: ["token_hash"],
    },
    needs: [{ anyOf: ["settings:read", "diary:read"], of: ["url"] }],
  },
  keys: {
    told: {
      rule: "setting_changed",
      table: "key_copies",
      id: "client_id",
      shows: ["name", "type", "scopes", "allowed_origins", "expires_at", "revoked_at", "secret_last_four"],
      secrets: ["secret_hash"],
    },
  },
  "notification-templates": {
    told: {
      rule: "setting_changed",
      table: "notification_templates",
      id: "rule || '/' || channel || '/' || language",
      shows: ["content"],
    },
    needs: [{ anyOf: ["payments:write"], of: ["money"] }],
  },
  notifications: {
    told: {
      rule: "setting_changed",
      table: "notification_settings",
      shows: ["company_recipients", "from_name"],
    },
    tellsFormer: ["company_recipients"],
    needs: [
      { anyOf: ["settings:read"], of: ["company_recipients"] },
      { anyOf: ["orders:read"], of: ["company_recipients"] },
      { anyOf: ["orders:write"], of: ["company_recipients"] },
    ],
  },
  instructors: {
    tellsFormer: RECEIVER,
    needs: [{ anyOf: ["settings:read", "diary:read"], of: RECEIVER }],
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

/** What is known of a setting. */
export function settingNamed(name: SettingName): Setting {
  return SETTINGS[name];
}

/** Of what changes of it the company is notified. */
export function toldOf(name: SettingName): readonly Told[] {
  return [settingNamed(name).told ?? []].flat();
}

/** The setting that a write by a path changes; undefined where it changes none. */
export function settingOf(path: string): SettingName | undefined {
  const [, settings, , name = "", ...under] = path.split("/");
  const isChange = settings === "settings" && !/^(preview|test)$/.test(under.at(-1) ?? "");
  return isChange && Object.hasOwn(SETTINGS, name) ? (name as SettingName) : undefined;
}

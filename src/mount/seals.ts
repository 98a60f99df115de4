import { markKeySeal } from "#platform/secrets/company-marks.ts";
import type { SealedKind } from "#platform/secrets/sealed-kind.ts";
import { auditKeySeal } from "#platform/write/audit-link.ts";
import { puzzleSecrets } from "../features/bookings/settings/seals.ts";
import { endpointSecrets } from "../features/events/endpoints/seals.ts";
import { gatewayCredentials, webhookSecrets } from "../features/gateway-payments/gateways/seals.ts";
import { turnstileSecrets } from "../features/leads/leads/seals.ts";
import { providerConfigs, providerTokens } from "../features/messaging/providers/configuration/seals.ts";

/** All that is sealed in a company's database. */
export const COMPANY_SEALS: readonly SealedKind[] = [
  gatewayCredentials,
  webhookSecrets,
  turnstileSecrets,
  puzzleSecrets,
  providerConfigs,
  providerTokens,
  endpointSecrets,
  auditKeySeal,
  markKeySeal,
];

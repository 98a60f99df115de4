import { hmacKeySecret } from "#core/secrets/company-hmac.ts";
import type { SecretKind } from "#core/secrets/secret-kind.ts";
import { auditKeySecret } from "#core/write/audit-link.ts";
import { puzzleSecrets } from "../features/bookings/settings/secret-kinds.ts";
import { endpointSecrets } from "../features/events/endpoints/secret-kinds.ts";
import { gatewayCredentials, webhookSecrets } from "../features/gateway-payments/gateways/secret-kinds.ts";
import { turnstileSecrets } from "../features/leads/leads/secret-kinds.ts";
import {
  providerConfigs,
  providerTokens,
} from "../features/messaging/providers/configuration/secret-kinds.ts";

/** All that is encrypted in a company's database. */
export const COMPANY_SECRET_KINDS: readonly SecretKind[] = [
  gatewayCredentials,
  webhookSecrets,
  turnstileSecrets,
  puzzleSecrets,
  providerConfigs,
  providerTokens,
  endpointSecrets,
  auditKeySecret,
  hmacKeySecret,
];

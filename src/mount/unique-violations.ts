import { uniqueViolations as control } from "#control/unique-violations.ts";
import type { UniqueViolations } from "#platform/write/unique-violations.ts";
import { uniqueViolations as bookings } from "../features/bookings/unique-violations.ts";
import { uniqueViolations as company } from "../features/company/unique-violations.ts";
import { uniqueViolations as customers } from "../features/customers/unique-violations.ts";
import { uniqueViolations as erasures } from "../features/erasures/unique-violations.ts";
import { uniqueViolations as events } from "../features/events/unique-violations.ts";
import { uniqueViolations as gatewayPayments } from "../features/gateway-payments/unique-violations.ts";
import { uniqueViolations as invoices } from "../features/invoices/unique-violations.ts";
import { uniqueViolations as leads } from "../features/leads/unique-violations.ts";
import { uniqueViolations as ledger } from "../features/ledger/unique-violations.ts";
import { uniqueViolations as messaging } from "../features/messaging/unique-violations.ts";
import { uniqueViolations as notifications } from "../features/notifications/unique-violations.ts";
import { uniqueViolations as payments } from "../features/payments/unique-violations.ts";
import { uniqueViolations as products } from "../features/products/unique-violations.ts";
import { uniqueViolations as projects } from "../features/projects/unique-violations.ts";
import { uniqueViolations as recruitment } from "../features/recruitment/unique-violations.ts";
import { uniqueViolations as storefront } from "../features/storefront/unique-violations.ts";

/** What every unique index of the control plane and of the features means to a client. */
export const uniqueViolations: UniqueViolations = {
  ...control,
  ...bookings,
  ...company,
  ...customers,
  ...erasures,
  ...events,
  ...gatewayPayments,
  ...invoices,
  ...leads,
  ...ledger,
  ...messaging,
  ...notifications,
  ...payments,
  ...products,
  ...projects,
  ...recruitment,
  ...storefront,
};

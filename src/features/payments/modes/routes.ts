import { Router } from "#contract/operation.ts";
import { Deleted, RecordParams, renderDeleted } from "#shared/fields/ids.ts";

import { listActiveModes } from "./list-active.ts";
import { createMode, deleteMode, getMode, listModeSettings, updateMode } from "./modes.ts";
import { PaymentMode, PaymentModeCreate, PaymentModePatch, PaymentModeSettings } from "./schema.ts";
import { renderMode } from "./snapshot.ts";

const modeExample = {
  id: "7",
  name: "HDFC current account",
  mode_type: "bank" as const,
  account_id: "2",
  is_active: true,
  created_at: "2026-11-21T09:30:00.000Z",
  updated_at: "2026-11-21T09:30:00.000Z",
};

export const paymentMethodRoutes = new Router("Payments").all(
  {
    id: "listPaymentMethods",
    method: "get",
    path: "/payments/:company/methods",
    summary: "List payment methods",
    description: "The active payment modes.",
    scope: "payments:read",
    result: PaymentMode,
    example: { result: { id: "2", name: "Bank Transfer", mode_type: "bank" } },
    render: renderMode,
  },
  listActiveModes,
);

export const paymentModeSettingsRoutes = new Router("Settings: Payment modes")
  .list(
    {
      id: "listPaymentModes",
      method: "get",
      path: "/settings/:company/payment-modes",
      summary: "List all payment modes",
      scope: "settings:read",
      result: PaymentModeSettings,
      example: { result: modeExample },
      render: renderMode,
      sort: (row) => [row.id],
    },
    listModeSettings,
  )
  .add(
    {
      id: "createPaymentMode",
      method: "post",
      changes: [],
      path: "/settings/:company/payment-modes",
      summary: "Add a payment mode",
      scope: "settings:write",
      body: PaymentModeCreate,
      result: PaymentModeSettings,
      status: 201,
      problems: ["duplicate_name"],
      example: {
        body: { name: "HDFC current account", mode_type: "bank", account_id: "2" },
        result: modeExample,
      },
      render: renderMode,
    },
    createMode,
  )
  .add(
    {
      id: "getPaymentMode",
      method: "get",
      path: "/settings/:company/payment-modes/:id",
      summary: "Read a payment mode",
      scope: "settings:read",
      params: RecordParams,
      result: PaymentModeSettings,
      example: { result: modeExample },
      render: renderMode,
    },
    getMode,
  )
  .add(
    {
      id: "updatePaymentMode",
      method: "patch",
      changes: [],
      path: "/settings/:company/payment-modes/:id",
      summary: "Change a payment mode",
      scope: "settings:write",
      params: RecordParams,
      body: PaymentModePatch,
      result: PaymentModeSettings,
      problems: ["no_accepted_fields", "duplicate_name"],
      example: { body: { is_active: false }, result: { ...modeExample, is_active: false } },
      render: renderMode,
    },
    updateMode,
  )
  .add(
    {
      id: "deletePaymentMode",
      method: "delete",
      changes: [],
      path: "/settings/:company/payment-modes/:id",
      summary: "Remove a payment mode",
      description: "Refused once a payment was made by it; it can be switched off instead.",
      scope: "settings:write",
      params: RecordParams,
      result: Deleted,
      problems: ["in_use"],
      example: { result: { id: "7", deleted: true } },
      render: renderDeleted,
    },
    deleteMode,
  );

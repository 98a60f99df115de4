import { Router } from "#contract/operation.ts";
import {
  DeletedPaymentMode,
  PaymentModeCreate,
  PaymentModePatch,
  PaymentModeSettings,
  PaymentParams,
} from "../schema.ts";
import {
  createMode,
  deleteMode,
  getMode,
  listModeSettings,
  renderModeSettings,
  updateMode,
} from "./modes.ts";

const modeExample = {
  id: "7",
  name: "HDFC current account",
  mode_type: "bank" as const,
  account_id: "2",
  is_active: true,
  created_at: "2026-11-21T09:30:00.000Z",
  updated_at: "2026-11-21T09:30:00.000Z",
};

export const paymentModeRoutes = new Router("Settings: Payment modes")
  .list(
    {
      id: "listPaymentModes",
      method: "get",
      path: "/settings/:company/payment-modes",
      summary: "List all payment modes",
      scope: "settings:read",
      result: PaymentModeSettings,
      example: { result: modeExample },
      render: renderModeSettings,
      sort: (row) => [row.id],
    },
    listModeSettings,
  )
  .add(
    {
      id: "createPaymentMode",
      method: "post",
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
      render: renderModeSettings,
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
      params: PaymentParams,
      result: PaymentModeSettings,
      example: { result: modeExample },
      render: renderModeSettings,
    },
    getMode,
  )
  .add(
    {
      id: "updatePaymentMode",
      method: "patch",
      path: "/settings/:company/payment-modes/:id",
      summary: "Change a payment mode",
      scope: "settings:write",
      params: PaymentParams,
      body: PaymentModePatch,
      result: PaymentModeSettings,
      problems: ["no_accepted_fields", "duplicate_name"],
      example: { body: { is_active: false }, result: { ...modeExample, is_active: false } },
      render: renderModeSettings,
    },
    updateMode,
  )
  .add(
    {
      id: "deletePaymentMode",
      method: "delete",
      path: "/settings/:company/payment-modes/:id",
      summary: "Remove a payment mode",
      description: "Refused once a payment was made by it; it can be switched off instead.",
      scope: "settings:write",
      params: PaymentParams,
      result: DeletedPaymentMode,
      problems: ["in_use"],
      example: { result: { id: "7", deleted: true } },
      render: (row) => ({ id: String(row.id), deleted: true as const }),
    },
    deleteMode,
  );

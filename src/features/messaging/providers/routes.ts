import { Router } from "#api/operations/operation.ts";
import { Deleted, RecordParams, renderDeleted } from "#shared/fields/ids.ts";
import { createProvider } from "./create-provider.ts";
import { deleteProvider } from "./delete-provider.ts";
import { issuedProviderExample, providerExample } from "./examples.ts";
import { getProvider, listProviders } from "./read-providers.ts";
import { provider, renderIssuedProvider, renderProvider } from "./record.ts";
import { rotateProvider } from "./rotate-provider.ts";
import { ProviderCreate, ProviderPatch, ProviderRotate } from "./schema.ts";
import { updateProvider } from "./update-provider.ts";

export const providerRoutes = new Router("Settings: Messaging")
  .list(
    {
      id: "listMessagingProviders",
      method: "get",
      path: "/settings/:company/messaging-providers",
      summary: "List the messaging providers",
      scope: "settings:read",
      result: provider.schema,
      example: { result: providerExample },
      render: renderProvider,
      sort: (row) => [row.id],
    },
    listProviders,
  )
  .add(
    {
      id: "createMessagingProvider",
      method: "post",
      changes: [],
      path: "/settings/:company/messaging-providers",
      summary: "Add a messaging provider",
      description:
        "By default, the first active provider of a channel sends. Secrets are encrypted, and no read shows them. Only this answer shows the whole `callback_url`. The key also needs `messages:read`, because a provider account sees the messages sent through it, and `reply_to` gets the replies.",
      scope: "settings:write",
      body: ProviderCreate,
      result: provider.schema,
      status: 201,
      problems: ["conflict"],
      example: {
        body: {
          channel: "sms",
          kind: "msg91",
          config: { auth_key: "4412a8f0c9f1", default_sender_id: "DEMOTR" },
        },
        result: issuedProviderExample,
      },
      render: renderIssuedProvider,
    },
    createProvider,
  )
  .add(
    {
      id: "getMessagingProvider",
      method: "get",
      path: "/settings/:company/messaging-providers/:id",
      summary: "Read a messaging provider",
      scope: "settings:read",
      params: RecordParams,
      result: provider.schema,
      example: { result: providerExample },
      render: renderProvider,
    },
    getProvider,
  )
  .add(
    {
      id: "updateMessagingProvider",
      method: "patch",
      changes: [],
      path: "/settings/:company/messaging-providers/:id",
      summary: "Change a messaging provider",
      description:
        "A new `config` replaces the whole old one, with its secrets. For this the key also needs `messages:read`.",
      scope: "settings:write",
      params: RecordParams,
      body: ProviderPatch,
      result: provider.schema,
      problems: ["no_accepted_fields", "conflict"],
      example: {
        body: { is_active: false },
        result: { ...providerExample, ...{ is_active: false, is_default: false } },
      },
      render: renderProvider,
    },
    updateProvider,
  )
  .add(
    {
      id: "rotateMessagingProvider",
      method: "post",
      changes: [],
      path: "/settings/:company/messaging-providers/:id/rotate",
      summary: "Give a messaging provider a new callback address",
      description:
        "The answer shows the whole `callback_url`. Chat-apps have one address without a token: 404. Asks also for `messages:read`.",
      scope: "settings:write",
      params: RecordParams,
      body: ProviderRotate,
      result: provider.schema,
      example: { body: { overlap_seconds: 86_400 }, result: issuedProviderExample },
      render: renderIssuedProvider,
    },
    rotateProvider,
  )
  .add(
    {
      id: "deleteMessagingProvider",
      method: "delete",
      changes: [],
      path: "/settings/:company/messaging-providers/:id",
      summary: "Remove a messaging provider",
      description:
        "Refused while it has messages to send; it can be switched off instead. Asks also for `messages:read`.",
      scope: "settings:write",
      params: RecordParams,
      result: Deleted,
      problems: ["in_use"],
      example: { result: { id: "1", deleted: true } },
      render: renderDeleted,
    },
    deleteProvider,
  );

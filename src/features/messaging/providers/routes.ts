import { Router } from "#api/operations/operation.ts";
import type { CallCtx } from "#core/context.ts";
import { recordVerbs } from "#core/write/collection.ts";
import { createProvider, deleteProvider, rotateProvider, updateProvider } from "./providers.ts";
import { countedProviders, provider, renderIssuedProvider, renderProvider } from "./record.ts";
import { ProviderCreate, ProviderPatch, ProviderRotate } from "./schema.ts";

const reads = (ctx: CallCtx) => recordVerbs({ record: countedProviders(ctx) });

export const providerRoutes = new Router("Settings: Messaging", "/messaging-providers")
  .collection({
    ids: { one: "MessagingProvider", list: "listMessagingProviders" },
    words: ["a messaging provider", "the messaging providers"],
    record: { schema: provider.schema, render: renderProvider },
    issued: { schema: provider.schema, render: renderIssuedProvider },
    create: ProviderCreate,
    patch: ProviderPatch,
    verbs: {
      list: (ctx: CallCtx, params, query) => reads(ctx).list(ctx, params, query),
      get: (ctx: CallCtx, params) => reads(ctx).get(ctx, params),
      create: createProvider,
      update: updateProvider,
      remove: deleteProvider,
    },
    problems: { create: ["conflict"], update: ["conflict"], delete: ["in_use"] },
    notes: {
      create: {
        description:
          "By default, the first active provider of a channel sends. Secrets are encrypted, and no read shows them. Only this answer shows the whole `callback_url`. The key also needs `messages:read` and `orders:write`, because a provider account sees the messages sent through it, with links that resolve orders, and `reply_to` gets the replies.",
      },
      update: {
        description:
          "A new `config` replaces the whole old one, with its secrets. For this the key also needs `messages:read` and `orders:write`.",
      },
      delete: {
        description:
          "Refused while it has messages to send; it can be switched off instead. Asks also for `messages:read` and `orders:write`.",
      },
    },
  })
  .post({ rotateMessagingProvider: rotateProvider }, "/:id/rotate", {
    summary: "Give a messaging provider a new callback address",
    description:
      "The answer shows the whole `callback_url`. Chat-apps have one address without a token: 404. Asks also for `messages:read` and `orders:write`.",
    body: ProviderRotate,
    record: { schema: provider.schema, render: renderIssuedProvider },
  });

import { Router } from "#contract/operation.ts";
import { Deleted, RecordParams, renderDeleted } from "#shared/fields/ids.ts";
import { optoutExample, suppressionExample } from "./examples.ts";
import { createOptout, deleteOptout, getOptout, listOptouts, renderOptout } from "./optouts.ts";
import { optoutResource } from "./resource.ts";
import { Optout, OptoutCreate, Suppression, SuppressionCreate } from "./schema.ts";
import {
  createSuppression,
  deleteSuppression,
  getSuppression,
  listSuppressions,
  renderSuppression,
} from "./suppressions.ts";

export const contactRoutes = new Router("Settings: Opt-outs and suppressions")
  .list(
    {
      id: "listOptouts",
      method: "get",
      path: "/settings/:company/optouts",
      summary: "List the numbers that opted out",
      scope: "settings:read",
      result: Optout,
      example: { result: optoutExample },
      render: renderOptout,
      sort: (row) => [row.id],
    },
    listOptouts,
  )
  .add(
    {
      id: "createOptout",
      method: "post",
      changes: [optoutResource],
      path: "/settings/:company/optouts",
      summary: "Add a number that opted out",
      description:
        "Messages to it are accepted, and never sent. A person who writes STOP is added by itself.",
      scope: "settings:write",
      body: OptoutCreate,
      result: Optout,
      status: 201,
      problems: ["conflict"],
      example: { body: { channel: "sms", address: "919845012345" }, result: optoutExample },
      render: renderOptout,
    },
    createOptout,
  )
  .add(
    {
      id: "getOptout",
      method: "get",
      path: "/settings/:company/optouts/:id",
      summary: "Read a number that opted out",
      scope: "settings:read",
      params: RecordParams,
      result: Optout,
      example: { result: optoutExample },
      render: renderOptout,
    },
    getOptout,
  )
  .add(
    {
      id: "deleteOptout",
      method: "delete",
      changes: [optoutResource],
      path: "/settings/:company/optouts/:id",
      summary: "Remove a number that opted out",
      scope: "settings:write",
      params: RecordParams,
      result: Deleted,
      example: { result: { id: "1", deleted: true } },
      render: renderDeleted,
    },
    deleteOptout,
  )
  .list(
    {
      id: "listSuppressions",
      method: "get",
      path: "/settings/:company/suppressions",
      summary: "List the suppressed e-mail addresses",
      scope: "settings:read",
      result: Suppression,
      example: { result: suppressionExample },
      render: renderSuppression,
      sort: (row) => [row.id],
    },
    listSuppressions,
  )
  .add(
    {
      id: "createSuppression",
      method: "post",
      changes: [],
      path: "/settings/:company/suppressions",
      summary: "Add a suppressed e-mail address",
      description: "No e-mail goes to it. Hard bounces and complaints are added by themselves.",
      scope: "settings:write",
      body: SuppressionCreate,
      result: Suppression,
      status: 201,
      problems: ["conflict"],
      example: { body: { email: "meera@example.com" }, result: suppressionExample },
      render: renderSuppression,
    },
    createSuppression,
  )
  .add(
    {
      id: "getSuppression",
      method: "get",
      path: "/settings/:company/suppressions/:id",
      summary: "Read a suppressed e-mail address",
      scope: "settings:read",
      params: RecordParams,
      result: Suppression,
      example: { result: suppressionExample },
      render: renderSuppression,
    },
    getSuppression,
  )
  .add(
    {
      id: "deleteSuppression",
      method: "delete",
      changes: [],
      path: "/settings/:company/suppressions/:id",
      summary: "Remove a suppressed e-mail address",
      scope: "settings:write",
      params: RecordParams,
      result: Deleted,
      example: { result: { id: "1", deleted: true } },
      render: renderDeleted,
    },
    deleteSuppression,
  );

import { zValidator } from "@hono/zod-validator";
import type { MiddlewareHandler } from "hono";
import type { Schema } from "#api/operations/operation.ts";
import { Problem } from "#shared/problem.ts";
import { check, validationProblem } from "#shared/validation.ts";
import type { App, RequestContext } from "../request-state.ts";

/** Validates a path's or a query's parameters. Throws what `refuse` does, else 404 or 422. */
export function validate(
  target: "param" | "query",
  schema: Schema,
  refuse: (c: RequestContext) => void = () => undefined,
): MiddlewareHandler<App> {
  return zValidator(
    target,
    schema,
    (result, c) => {
      if (result.success) return;
      refuse(c as RequestContext);
      const { issues } = result.error;
      // A caller's own id is of no record yet: a wrong one is a mistake of the call.
      const isOwn = issues.some(({ path: [name] }) => name === "external_id");
      if (target === "param" && !isOwn) throw new Problem("not_found");
      throw validationProblem(issues);
    },
    { validationFunction: (checked, value) => check(checked as Schema, value) as never },
  ) as MiddlewareHandler<App>;
}

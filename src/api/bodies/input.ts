import { zValidator } from "@hono/zod-validator";
import type { MiddlewareHandler, Next } from "hono";
import type * as z from "zod";
import { mayLeaveOutBody, type Operation, type Schema } from "#api/operations/operation.ts";
import { Problem } from "#shared/problem.ts";
import { checkForm, validationProblem } from "#shared/validation.ts";
import type { App, RequestContext } from "../request-state.ts";
import { checkBody } from "./blanks.ts";
import { decodeText, inspectJson, isMultipart, JSON_LIMIT, readBytes } from "./read-body.ts";
import { ignoredHeader, refusedMembers, unknownMembers } from "./unknown-members.ts";

// The specification answers a body of another type as one without fields.
const PROJECTS = "/projects/";
const NO_OBJECT = "The body must be a JSON object";

/** JSON, a form, or either by the request's Content-Type; where only a form will do, another body names no field. */
export function takeInput(operation: Operation, schema: Schema): MiddlewareHandler<App>[] {
  const { form } = operation;
  const takeBody = bodyTaker(operation);
  const json = validateJson(operation, schema);
  return [
    form === undefined
      ? takeBody
      : async (c, next) => {
          if (isMultipart(c)) {
            const { withForm } = await import("./forms.ts");
            const check = (fields: Record<string, unknown>) => checkForm(schema, fields);
            return withForm(c, check, (fields, result) => takeFields(c, operation, fields, result, next));
          }
          if (form === "always") return takeNoForm(c, operation, schema, next);
          await takeBody(c, next);
        },
    async (c, next) => (c.req.valid("json" as never) === undefined ? json(c, next) : next()),
  ];
}

async function takeFields(
  c: RequestContext,
  operation: Operation,
  fields: Record<string, unknown>,
  result: Awaited<ReturnType<typeof checkForm>>,
  next: Next,
): Promise<void> {
  accept(c, operation, fields, result.success ? [] : result.error.issues);
  c.req.addValidatedData("json", result.data as object);
  return next();
}

async function takeNoForm(
  c: RequestContext,
  operation: Operation,
  schema: Schema,
  next: Next,
): Promise<void> {
  const bytes = await readBytes(c.req.raw, operation.bodyLimit ?? JSON_LIMIT);
  if (bytes.length > 0) throw unsupported(operation);
  c.get("state").body = bytes;
  return takeFields(c, operation, {}, await checkForm(schema, {}), next);
}

function bodyTaker(operation: Operation): MiddlewareHandler<App> {
  const { bodyLimit = JSON_LIMIT, bodyLeftOut = {}, path, body: schema } = operation;
  const leftOut = mayLeaveOutBody(operation) ? schema?.parse(bodyLeftOut) : undefined;
  return async (c, next) => {
    const bytes = await readBytes(c.req.raw, bodyLimit);
    const text = decodeText(bytes);
    const passesOver = path.startsWith(PROJECTS) && leftOut === undefined;
    if (text !== "" && !isJson(c) && !passesOver) throw unsupported(operation);
    c.get("state").body = bytes;
    if (text === "" && leftOut === undefined && isJson(c))
      throw new Problem("invalid_json", { message: "The body is empty: send a JSON object" });
    if (leftOut !== undefined && text === "") c.req.addValidatedData("json", leftOut as object);
    // Hono's validator reads the body from its cache; the type says string where a promise is awaited.
    c.req.bodyCache.text = Promise.resolve(text) as never;
    return next();
  };
}

/** As Hono's validator reads it, which takes each other body for an empty object. */
function isJson(c: RequestContext): boolean {
  const [type = ""] = (c.req.header("Content-Type") ?? "").split(";");
  return /^application\/([\w.-]+\+)?json$/i.test(type.trim());
}

/** The problem, with what to send where the client sent no body, or JSON that is no object. */
function withWanted(c: RequestContext, { form }: Operation, problem: Problem): Problem {
  const { code, details } = problem;
  const isEmpty = c.get("state").body?.length === 0;
  const isWhole = details.errors?.[0]?.field === "" && details.errors[0].code === "invalid_type";
  if (!isEmpty && !isWhole) return problem;
  const wanted = form === "always" ? "the fields as multipart/form-data" : "a JSON object";
  const message = isEmpty ? `The body is empty: send ${wanted}. ${problem.message}` : NO_OBJECT;
  return new Problem(code, { ...details, message });
}

/** The 415 of a body that is neither what the operation reads nor empty. */
function unsupported({ form }: Operation): Problem {
  const fields = "the fields as multipart/form-data";
  const json = "the body as JSON, with the header Content-Type: application/json";
  const wanted = form === "always" ? fields : form === "accepted" ? `${json}, or ${fields}` : json;
  return new Problem("unsupported_media_type", { message: `Send ${wanted}` });
}

function validateJson(operation: Operation, schema: Schema): MiddlewareHandler<App> {
  return zValidator(
    "json",
    schema,
    // `sent` is what `validationFunction` adds to its result.
    (result, c) => {
      const { sent } = result as unknown as { sent: unknown };
      accept(c as RequestContext, operation, sent, result.success ? [] : result.error.issues);
    },
    {
      validationFunction: (checked, value) => {
        inspectJson(value);
        return { ...checkBody(operation, checked as Schema, value), sent: value } as never;
      },
    },
  ) as MiddlewareHandler<App>;
}

/** Throws 422 for members that are refused or, first of all, nearly a known one; keeps which others are ignored. */
function accept(
  c: RequestContext,
  operation: Operation,
  body: unknown,
  issues: readonly z.core.$ZodIssue[],
): void {
  const unknown = unknownMembers(operation, body);
  const refused = refusedMembers(operation, unknown);
  if (refused.length + issues.length > 0) throw withWanted(c, operation, validationProblem(issues, refused));
  if (unknown.length > 0) c.get("state").ignored = ignoredHeader(unknown.map(({ field }) => field));
}

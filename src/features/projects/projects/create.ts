import { eq } from "drizzle-orm";
import type { WriteCtx } from "#core/context.ts";
import { atomic } from "#core/write/atomic.ts";
import { codeFrom, firstFree } from "./code.ts";
import { type ProjectRow, project } from "./record.ts";
import type { ProjectCreate } from "./schema.ts";
import { projects } from "./tables.ts";

/** Opens a project; where no code is sent, it gets a free one that is made from the name. */
export function createProject(ctx: WriteCtx, _params: unknown, body: ProjectCreate): Promise<ProjectRow> {
  return atomic(
    ctx,
    [
      ctx.db.insert(projects).values({
        operation: ctx.call.id,
        name: body.name,
        code: body.code ?? firstFree(codeFrom(body.name)),
        description: body.description ?? null,
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
    ],
    project.select(eq(projects.operation, ctx.call.id)),
  );
}

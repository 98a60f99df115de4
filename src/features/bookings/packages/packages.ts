import { eq, type SQL, sql } from "drizzle-orm";
import type { CallCtx, WriteCtx } from "#core/context.ts";
import { selectId } from "#core/sql/json.ts";
import { readList, readOne } from "#core/sql/read-records.ts";
import { atomic, type Refusals, refuseIfNone, refuseWhen } from "#core/write/atomic.ts";
import { isLive } from "#features/customers";
import type { RecordParams } from "#shared/fields/ids.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { fieldProblem } from "#shared/problem.ts";
import { customers } from "#tables/customers";
import { products } from "#tables/products";
import { bookings } from "../bookings/tables.ts";
import { courseJson } from "../courses/snapshot.ts";
import type { PackageCreate, PackagePatch } from "./schema.ts";
import { type PackageRow, selectPackages } from "./snapshot.ts";
import { bookingPackages } from "./tables.ts";

const REFUSALS: Refusals = {
  customer_gone: () => fieldProblem("customer_id", "not_found", "names no customer"),
  product_gone: () =>
    fieldProblem("product_id", "not_a_lesson", "names no active lesson course", "invalid_product"),
};

/** All packages, newest first. */
export async function listPackageSettings(
  ctx: CallCtx,
  _params: unknown,
  { page }: { page: Page },
): Promise<Listed<PackageRow>> {
  const { id } = bookingPackages;
  const tail = sql`${id} < ${idBelow(page)} ORDER BY ${id} DESC LIMIT ${page.take}`;
  return readList(ctx, page, selectPackages(tail));
}

export async function getPackage(ctx: CallCtx, { id }: RecordParams): Promise<PackageRow> {
  return readOne(ctx, selectPackages(eq(bookingPackages.id, id)));
}

/** Gives a customer pre-paid lessons. */
export function createPackage(ctx: WriteCtx, _params: unknown, body: PackageCreate): Promise<PackageRow> {
  const lesson = sql`coalesce(json_extract(${courseJson(body.product_id)}, '$.is_package'), 1) = 0`;
  const name = sql<string>`(SELECT ${products.name} FROM ${products} WHERE ${products.id} = ${body.product_id})`;
  return atomic(
    ctx,
    [
      refuseWhen(sql`NOT EXISTS (${liveCustomer(body.customer_id)})`, "customer_gone"),
      refuseWhen(sql`NOT (${lesson})`, "product_gone"),
      ctx.db.insert(bookingPackages).values({
        operation: ctx.call.id,
        customerId: body.customer_id,
        productId: body.product_id,
        name: body.name ?? name,
        sessionsTotal: body.sessions_total,
        expiresAt: body.expires_at ?? null,
        status: body.status ?? "active",
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
    ],
    selectPackages(eq(bookingPackages.operation, ctx.call.id)),
    REFUSALS,
  );
}

/** Changes a package; naming its customer confirms whose it is. */
export function updatePackage(ctx: WriteCtx, { id }: RecordParams, patch: PackagePatch): Promise<PackageRow> {
  const { customer_id: customerId } = patch;
  return atomic(
    ctx,
    [
      ...(customerId === undefined
        ? []
        : [refuseWhen(sql`NOT EXISTS (${liveCustomer(customerId)})`, "customer_gone")]),
      ctx.db
        .update(bookingPackages)
        .set({
          customerId,
          customerConfirmed: customerId === undefined ? undefined : 1,
          name: patch.name,
          sessionsTotal: patch.sessions_total,
          expiresAt: patch.expires_at,
          status: patch.status,
          updatedAt: ctx.now,
        })
        .where(eq(bookingPackages.id, id)),
      refuseIfNone("not_found"),
    ],
    selectPackages(eq(bookingPackages.id, id)),
    REFUSALS,
  );
}

function liveCustomer(id: number): SQL {
  return sql`SELECT 1 FROM ${customers} WHERE ${customers.id} = ${id} AND ${isLive}`;
}

/** Removes a package that no booking was made with. */
export function deletePackage(ctx: WriteCtx, { id }: RecordParams): Promise<{ id: number }> {
  return atomic(
    ctx,
    [
      refuseWhen(isUsed(id), "in_use"),
      ctx.db.delete(bookingPackages).where(eq(bookingPackages.id, id)),
      refuseIfNone("not_found"),
    ],
    selectId(id),
  );
}

function isUsed(id: number): SQL {
  return sql`EXISTS (SELECT 1 FROM ${bookings} WHERE ${bookings.bookingPackageId} = ${id})`;
}

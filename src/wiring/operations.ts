import type { Operation } from "#api/operations/operation.ts";
import { AREAS } from "./areas.ts";

const areas = await Promise.all(Object.values(AREAS).map((load) => load()));

/** All operations under the base addresses, for the API document and the tests; the Worker loads areas one by one. */
export const operations: readonly Operation[] = areas.flatMap(({ routers }) =>
  routers.flatMap((router) => router.operations),
);

export { platformOperations } from "./platform-operations.ts";

import { Router } from "#http/operation.ts";
import { listUnits, renderUnit } from "./list-units.ts";
import { Unit } from "./schema.ts";

export const productRoutes = new Router("Products").all(
  {
    id: "listUnits",
    method: "get",
    path: "/products/:company/units",
    summary: "List units of measure",
    scope: "products:read",
    result: Unit,
    envelope: "data",
    status: 200,
    problems: [],
    example: { result: { id: "1", code: "NOS", name: "Numbers" } },
    render: renderUnit,
  },
  listUnits,
);

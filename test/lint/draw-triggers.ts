import { readFileSync, writeFileSync } from "node:fs";
import { migratedDatabase } from "#tenancy/migrations/migrated-database.ts";
import { triggersOf, withPicture } from "./triggers.ts";

// Draws anew in docs/architecture.md which table's triggers write which other table.
const page = "docs/architecture.md";
writeFileSync(page, withPicture(readFileSync(page, "utf8"), triggersOf(migratedDatabase("company"))));

import { declareEventSources } from "#core/write/event-sources.ts";
import { declareUniqueViolations } from "#core/write/unique-violations.ts";
import { resourcesNamed } from "../../src/wiring/resources.ts";

// What the Worker declares as it starts, for tests that write without one.
declareUniqueViolations(() => import("../../src/wiring/unique-violations.ts"));
declareEventSources(resourcesNamed);

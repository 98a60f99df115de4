import type { Changes, EventSource } from "../context.ts";

type Load = (names: Changes["names"]) => Promise<readonly EventSource[]>;

let load: Load = () => Promise.reject(new Error("Where the kinds of records stand was not declared"));

/** Declares where the kinds of records stand that events report; done once, before the first call is served. */
export function declareEventSources(sources: Load): void {
  load = sources;
}

/** The kinds of records with these names, loaded when a write may first change one. */
export function eventSources(names: Changes["names"]): Promise<readonly EventSource[]> {
  return load(names);
}

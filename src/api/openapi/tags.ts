import { type Operation, scopesOf } from "#api/operations/operation.ts";

export type Tag = { name: string; description: string; "x-displayName"?: string };
export type TagGroup = { name: string; tags: string[] };

const SETTINGS = /^Settings: /;
const SERVICE = new Set(["Platform", "Health"]);
const SENT = new Set(["Webhooks"]);

/** One tag an area, in the order of the operations. */
export function tagsOf(operations: readonly Operation[]): Tag[] {
  const areas = [...new Set(operations.map(({ area }) => area))];
  return areas.map((name) => {
    const own = operations.filter(({ area }) => area === name);
    const scopes = new Set(own.flatMap(scopesOf));
    const description = scopes.has("platform")
      ? "For the operator of the service."
      : `Scopes: ${[...scopes].map((scope) => `\`${scope}\``).join(", ")}.`;
    return SETTINGS.test(name)
      ? { name, "x-displayName": name.replace(SETTINGS, ""), description }
      : { name, description };
  });
}

/** What the company works with, what it sets, what it receives, and what the operator needs: every tag is in one. */
export function groupsOf(tags: readonly Tag[]): TagGroup[] {
  const named = (name: string, belongs: (tag: string) => boolean): TagGroup => ({
    name,
    tags: tags.map((tag) => tag.name).filter(belongs),
  });
  return [
    named("Operations", (tag) => !SETTINGS.test(tag) && !SERVICE.has(tag) && !SENT.has(tag)),
    named("Settings", (tag) => SETTINGS.test(tag)),
    named("Events", (tag) => SENT.has(tag)),
    named("Service", (tag) => SERVICE.has(tag)),
  ];
}

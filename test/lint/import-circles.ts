import { posix } from "node:path";
import type { Source } from "./sources.ts";

const IMPORT = /\b(?:from|import)[\s(]*"([^"]+)"/g;

/** Each circle of files that import one another, types included, as the sorted paths in it. */
export function importCircles(
  files: readonly Source[],
  aliases: Readonly<Record<string, string>>,
): string[][] {
  const paths = new Set(files.map(({ path }) => path));
  const imports = new Map(
    files.map(({ path, text }) => {
      const targets = [...text.matchAll(IMPORT)].map(([, target = ""]) => resolve(path, target, aliases));
      return [path, targets.filter((target) => paths.has(target))];
    }),
  );
  return stronglyConnected(imports)
    .filter((group) => group.length > 1 || imports.get(group[0] ?? "")?.includes(group[0] ?? ""))
    .map((group) => group.sort());
}

function resolve(path: string, target: string, aliases: Readonly<Record<string, string>>): string {
  if (target.startsWith(".")) return posix.join(posix.dirname(path), target);
  for (const [name, place] of Object.entries(aliases)) {
    const [prefix = "", rest] = name.split("*");
    if (rest === undefined ? target === name : target.startsWith(prefix))
      return posix.normalize(place.replace("*", target.slice(prefix.length)));
  }
  return target;
}

/** The groups of nodes that reach one another (Tarjan). */
export function stronglyConnected(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const open: string[] = [];
  const groups: string[][] = [];
  const visit = (node: string): number => {
    const mine = order.size;
    order.set(node, mine);
    open.push(node);
    let low = mine;
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, order.get(next) ?? mine);
    }
    if (low === mine) groups.push(open.splice(open.indexOf(node)));
    return low;
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return groups;
}

// The shell commands that a page shows in fences, and how each fence is tried.
import { readFileSync } from "node:fs";

/** How a fence is tried: by the drill, by it with `--dry-run`, by another script or a test, or not at all, and why. */
type Way = { by: "drill" | "dry run" | "script" | "test" | "none"; said: string };
export type Fence = { page: string; heading: string; way: Way; commands: readonly string[] };

const FENCE = /(?:^<!-- ([^\n]*) -->\n)?^```(\w*)\n(.*?)^```$/gms;
const WAYS: readonly [RegExp, Way["by"]][] = [
  [/^Run with --dry-run: (.+)$/, "dry run"],
  [/^Run by npm run (\S+)$/, "script"],
  [/^Run by (test\/\S+)$/, "test"],
  [/^Not run: (.+)$/, "none"],
];

/** The fences of a page in their order; throws where a comment above one does not say how it is tried. */
export function fencesOf(page: string, root = "."): Fence[] {
  const text = readFileSync(`${root}/${page}`, "utf8");
  return [...text.matchAll(FENCE)].map((found) => {
    const [, comment, language, body = ""] = found;
    const [heading = ""] = text.slice(0, found.index).match(/(?<=^##+ ).*$(?![\s\S]*^##+ )/m) ?? [];
    // Without a language it is the summary of the command line.
    if (language !== "sh" && language !== "") throw new Error(`${page} has a fence of ${language}`);
    const commands = language === "" ? summarised(body) : commandsIn(body);
    return { page, heading, way: wayOf(page, comment), commands };
  });
}

/** The commands of those fences that the drill runs. */
export function commandsToRun(fences: readonly Fence[]): string[] {
  return fences
    .filter(({ way: { by } }) => ["drill", "dry run"].includes(by))
    .flatMap(({ commands }) => commands);
}

function wayOf(page: string, comment: string | undefined): Way {
  if (comment === undefined) return { by: "drill", said: "" };
  for (const [form, by] of WAYS) {
    const [, said] = form.exec(comment) ?? [];
    if (said !== undefined) return { by, said };
  }
  throw new Error(`${page} does not say how a fence is tried: ${comment}`);
}

/** Each command as it is printed, without the remark behind it. */
function commandsIn(body: string): string[] {
  const lines = body.replaceAll(/\\\n\s*/g, "").split("\n");
  return lines.map((line) => line.replace(/\s{2,}#.*$/, "").trim()).filter((line) => line !== "");
}

/** What `npx company-ops company create | list` and `npx company-ops check | status` name, as calls for help. */
function summarised(body: string): string[] {
  return body
    .trim()
    .replaceAll(/^npx company-ops /gm, "")
    .split("\n")
    .flatMap((line) => {
      const [first = "", ...others] = line.split(" | ");
      const [group, member] = first.split(" ");
      const isNamed = (word: string) => member === undefined || word.includes(" ");
      return [first, ...others.map((word) => (isNamed(word) ? word : `${group} ${word}`))];
    })
    .map((words) => `npx company-ops ${words} --help`);
}

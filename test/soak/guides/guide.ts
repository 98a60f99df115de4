import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Code, Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";

/** What is typed into a shell, what follows it in TypeScript, and what both are answered. */
export type Step = { line: number; sh?: string; ts?: string; answer?: string; output?: string };
/** A file that a guide has its reader save. */
type SavedFile = { name: string; text: string };
export type Guide = { name: string; text: string; steps: Step[]; files: Map<Step, SavedFile[]> };

/** All guides, in the order of their names. */
export function readGuides(folder = "docs/guides"): Guide[] {
  return globSync(`${folder}/*.md`)
    .sort()
    .map((path) => parseGuide(basename(path, ".md"), readFileSync(path, "utf8")));
}

/** The samples of a guide. One begins where the shell speaks, or the program does and no shell spoke before it. */
export function parseGuide(name: string, text: string): Guide {
  const steps: Step[] = [];
  const files = new Map<Step, SavedFile[]>();
  let waiting: SavedFile[] = [];
  let [step, isAnswered] = [undefined as Step | undefined, false];
  const next = (line: number): Step => {
    const made: Step = { line };
    steps.push(made);
    files.set(made, waiting);
    [waiting, isAnswered, step] = [[], false, made];
    return made;
  };
  for (const { lang, meta, value, position } of codeIn(fromMarkdown(text))) {
    const line = position?.start.line ?? 0;
    if (meta) waiting.push({ name: meta, text: `${value}\n` });
    else if (lang === "sh") next(line).sh = value;
    else if (lang === "ts") {
      const into = step === undefined || isAnswered || step.ts !== undefined ? next(line) : step;
      into.ts = value;
    } else if (step === undefined) throw new Error(`${name}.md:${line}: an answer to nothing`);
    else {
      step[lang === "json" ? "answer" : "output"] = value;
      isAnswered = true;
    }
  }
  return { name, text, steps, files };
}

/** The ports of this machine at which a guide lets its own programs listen. */
export function guidePorts({ text }: Guide): string[] {
  const named = text.matchAll(/(?:localhost:|--port |listen\()(\d{4,5})\b/g);
  return [...new Set([...named].map(([, port = ""]) => port))].filter((port) => !/^878[78]$/.test(port));
}

function codeIn(node: Nodes): Code[] {
  if (node.type === "code") return [node];
  return "children" in node ? node.children.flatMap(codeIn) : [];
}

/** What differs from one run to the next, and is compared by its type alone. */
const CHANGING = /^(?:id|.*_id|.*_at|.*_date|.*_number|.*_url|code_?hash)$/;

/** Where a shown answer is not what came; what is left out of it is not compared, and "..." stands for any text. */
export function differences(shown: unknown, came: unknown, at = ""): string[] {
  const wrong = [`${at || "the answer"} is ${JSON.stringify(came)}, not ${JSON.stringify(shown)}`];
  if (Array.isArray(shown)) {
    if (!Array.isArray(came)) return wrong;
    return shown.flatMap((each, index) => differences(each, came[index], `${at}[${index}]`));
  }
  if (typeof shown === "object" && shown !== null) {
    if (typeof came !== "object" || came === null) return wrong;
    return Object.entries(shown).flatMap(([name, value]) => {
      const found = (came as Record<string, unknown>)[name];
      const isChanging = CHANGING.test(name) && value !== null && typeof value !== "object";
      if (!isChanging) return differences(value, found, `${at}.${name}`);
      return typeof found === typeof value ? [] : differences(value, found, `${at}.${name}`);
    });
  }
  if (typeof shown === "string" && typeof came === "string") return matches(shown, came) ? [] : wrong;
  return shown === came ? [] : wrong;
}

/** Whether a text is what is shown, "..." standing for anything. */
export function matches(shown: string, came: string): boolean {
  const parts = shown.split("...").map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(came);
}

import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { modulesOf } from "../../../src/build/bundle-modules.ts";

const LIST = /\{name:"0001_foundation",sql:[\w$]+\}[^\]]*/g;
const LAST = /,\{name:"([^"]+)",sql:[\w$]+\}$/;

/** The bundle as a release would be that lacks the last migration of companies, and that migration's name. */
export async function olderBundle(
  bundle: string,
  folder: string,
): Promise<{ bundle: string; without: string }> {
  await cp(bundle, folder, { recursive: true });
  for (const file of await modulesOf(folder)) {
    const path = join(folder, file);
    const text = await readFile(path, "utf8");
    // Companies have more of them than the control database.
    const [longest] = (text.match(LIST) ?? []).toSorted((one, other) => other.length - one.length);
    const without = LAST.exec(longest ?? "")?.[1];
    if (longest === undefined || without === undefined) continue;
    await writeFile(path, text.replace(longest, longest.replace(LAST, "")));
    return { bundle: folder, without };
  }
  throw new Error("The bundle has no list of migrations");
}

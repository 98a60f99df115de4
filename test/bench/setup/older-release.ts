import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { modulesOf } from "../../../src/build/bundle-modules.ts";

const LIST = /\{name:"01_\w+",sql:[\w$]+\}[^\]]*/g;
// After the files come the alterations.
const LAST = /,\{name:"([^"]+)",sql:[\w$]+\}(?=(?:,\.\.\.[\w$]+)?$)/;
// What makes a new company's tables at once has the last migration in it: without it, they are made file by file.
const TOGETHER = /,JSON\.parse\(`\["(?:\\.|[^`\\])*CREATE TABLE operations(?:\\.|[^`\\])*`\)/s;

/** The bundle as a release would be that lacks the last migration of companies, and that migration's name. */
export async function olderBundle(
  bundle: string,
  folder: string,
): Promise<{ bundle: string; without: string }> {
  await cp(bundle, folder, { recursive: true });
  let lastOf: string | undefined;
  let isCut = false;
  for (const file of await modulesOf(folder)) {
    const path = join(folder, file);
    const text = await readFile(path, "utf8");
    // Companies have more of them than the control database.
    const [longest] = (text.match(LIST) ?? []).toSorted((one, other) => other.length - one.length);
    lastOf ??= LAST.exec(longest ?? "")?.[1];
    isCut ||= TOGETHER.test(text);
    const older = text.replace(TOGETHER, "");
    await writeFile(path, longest === undefined ? older : older.replace(longest, longest.replace(LAST, "")));
  }
  if (lastOf === undefined || !isCut) throw new Error("The bundle has no list of migrations");
  return { bundle: folder, without: lastOf };
}

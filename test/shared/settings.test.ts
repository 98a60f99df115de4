import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SETTINGS, type SettingName, settingNamed, toldOf } from "#shared/settings.ts";
import { operations } from "../../src/wiring/operations.ts";

const docs = readFileSync("docs/notifications.md", "utf8");
const listed = (names: readonly string[], word = ", ") => names.map((name) => `\`${name}\``).join(word);

function rowOf(name: SettingName): string {
  const { tellsFormer = [], needs = [] } = settingNamed(name);
  const told = toldOf(name).map(
    ({ rule, shows, secrets = [] }) => `\`${rule}\` of ${listed([...shows, ...secrets])}`,
  );
  const rights = needs.map(
    ({ anyOf, of: members = [] }) =>
      listed(anyOf, " or ") + (members.length === 0 ? "" : ` for ${listed(members)}`),
  );
  return `| \`${name}\` | ${told.join("; ")} | ${listed(tellsFormer)} | ${rights.join("; ")} |`.replaceAll(
    "|  |",
    "| |",
  );
}

test("the table in the documentation says who is notified of a setting and what right it needs", () => {
  const [, section = ""] = docs.split("## Who is notified of a setting\n");
  const rows = section.split("\n## ")[0]?.match(/^\| `.*$/gm);
  expect(rows).toEqual((Object.keys(SETTINGS) as SettingName[]).map(rowOf));
});

test("each setting that can be written stands in the table, or among those without a notice", () => {
  const writes = operations.filter(({ method, path }) => method !== "get" && path.startsWith("/settings/"));
  expect(writes.length).toBeGreaterThan(90);
  const [, others = ""] = /^The others have no notice: (.*)\.$/m.exec(docs) ?? [];
  const known = [...Object.keys(SETTINGS), ...others.replaceAll("`", "").split(", ")];
  expect(known.toSorted()).toEqual([...new Set(writes.map(({ path }) => path.split("/")[3]))].toSorted());
});

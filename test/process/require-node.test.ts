import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

/** What the check at the start says on a Node of that version. */
function check(version: string, platform: string = process.platform) {
  const pretend = `Object.defineProperty(process.versions, "node", { value: ${JSON.stringify(version)} });
    Object.defineProperty(process, "platform", { value: ${JSON.stringify(platform)} });
    require("./src/build/require-node.cjs");`;
  return spawnSync(process.execPath, ["-e", pretend], { encoding: "utf8" });
}

it.each(["20.19.2", "22.12.0", "22.21.1", "23.9.0"])("a start on Node %s says what to do", (version) => {
  const onLinux = check(version, "linux");
  expect(onLinux.status).toBe(1);
  expect(onLinux.stderr).toContain(`This project runs on Node 24 or newer, and this is Node ${version}`);
  expect(onLinux.stderr).toContain("npm ci brings the right one along");
  expect(check(version, "darwin").stderr).toContain("nvm install 24");
});

it("a start on Windows names WSL, and one on Node 24 passes", () => {
  expect(check("24.1.0", "win32")).toMatchObject({ status: 1, stderr: expect.stringContaining("WSL") });
  expect(check("24.0.0")).toMatchObject({ status: 0, stderr: "" });
});

import { expect, test } from "vitest";
import { Report } from "../../src/cli/doctor/report.ts";
import { checkSqld } from "../../src/cli/doctor/sqld.ts";
import { serveOwn } from "../support/own-server.ts";

/** The paths that the checks of sqld ask for, where the control database is at this path. */
async function askedFor(control: string | undefined): Promise<string[]> {
  const paths = new Set<string>();
  const { url: base, stop } = await serveOwn((request, response) => {
    paths.add(String(request.url));
    response.writeHead(401).end();
  });
  const report = new Report(() => undefined, new AbortController().signal);
  const controlUrl = control === undefined ? undefined : base + control;
  const sqld = { url: `${base}/dev/{namespace}/`, controlUrl, token: "t", adminUrl: base, adminKey: "k" };
  await checkSqld(report, { ...sqld, activeNamespaces: 100 }, undefined);
  stop();
  return [...paths].toSorted();
}

test.each([
  ["of a service that was just set up", undefined, "control"],
  ["that a restore has filled", "/dev/control-2/", "control-2"],
  ["without the slash at its end", "/dev/control-2", "control-2"],
  ["elsewhere", "/elsewhere/control-2/", "control"],
])("sqld is asked for the namespace of the control database: one %s", async (_, address, name) => {
  expect(await askedFor(address)).toEqual([`/dev/${name}/v2/pipeline`, `/v1/namespaces/${name}/config`]);
});

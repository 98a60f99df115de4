import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

type Versions = Record<string, string>;
type Manifest = { dependencies?: Versions; devDependencies?: Versions; optionalDependencies?: Versions };
type LockFile = { packages: Record<string, Manifest> };

/** `npm ci` stops when a platform's package is missing from the lock, which `npm install` can leave out. */
function missingOptionalPackages({ packages }: LockFile): string[] {
  const present = new Set(Object.keys(packages).map((path) => path.split("node_modules/").at(-1)));
  const wanted = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}));
  return wanted.filter((name) => !present.has(name));
}

function looseVersions({ dependencies, devDependencies, optionalDependencies }: Manifest): string[] {
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    .filter(([, version]) => !/^(?:npm:[@\w/-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
    .map(([name]) => name);
}

it("finds an optional package without an entry", () => {
  const packages = {
    "node_modules/a": { optionalDependencies: { "@a/linux": "1.0.0", "@a/mac": "1.0.0" } },
    "node_modules/b/node_modules/@a/linux": {},
  };
  expect(missingOptionalPackages({ packages })).toEqual(["@a/mac"]);
});

it("finds a version that is not pinned", () => {
  const dependencies = { a: "1.0.0", b: "^1.0.0", c: "1.0", d: "5.20261023.2-beta", e: "latest" };
  expect(looseVersions({ dependencies })).toEqual(["b", "c", "e"]);
  expect(looseVersions({ dependencies: { a: "npm:b@1.0.0", c: "npm:b@^1.0.0" } })).toEqual(["c"]);
});

it("every optional package in package-lock.json has its own entry", () => {
  expect(missingOptionalPackages(JSON.parse(readFileSync("package-lock.json", "utf8")))).toEqual([]);
});

it("package-lock.json names no download address", () => {
  expect(readFileSync("package-lock.json", "utf8")).not.toContain('"resolved"');
});

it("npm ci warns of no engine, and goes on to say what fails", () => {
  expect(readFileSync(".npmrc", "utf8")).toMatch(/^loglevel=error$/m);
});

it("every dependency in package.json is pinned exactly", () => {
  expect(looseVersions(JSON.parse(readFileSync("package.json", "utf8")))).toEqual([]);
});

it("the typed client asks for the very packages that it is tested with", () => {
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  const client = JSON.parse(readFileSync("src/client/package.json", "utf8")).dependencies;
  expect(dependencies).toMatchObject(client);
});

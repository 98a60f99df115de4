import { AREAS, loadApp } from "../../../src/wiring/areas.ts";

/** Every route that the Worker answers, in all of its apps, as `METHOD /path`. */
export async function mountedRoutes(): Promise<string[]> {
  const apps = await Promise.all([...Object.keys(AREAS), "platform", "mcp", "pages", "root"].map(loadApp));
  const routes = apps.flatMap((app) => app.routes).filter(({ path }) => path !== "/*");
  return [...new Set(routes.map(({ method, path }) => `${method} ${path}`))];
}

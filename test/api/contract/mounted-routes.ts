import { AREAS, loadApp } from "../../../src/wiring/areas.ts";

/** Every route that the Worker answers, in all of its apps, as `METHOD /path`. */
export async function mountedRoutes(): Promise<string[]> {
  const apps = await Promise.all([...Object.keys(AREAS), "platform", "pages", "root"].map(loadApp));
  const routes = apps.flatMap((app) => app.routes).filter(({ method }) => method !== "ALL");
  return [...new Set(routes.map(({ method, path }) => `${method} ${path}`))];
}

// The website's own server. It alone knows the secret key: publishable keys are for bookings only.
import { type Context, Hono } from "hono";

export type Settings = {
  /** The API's address with its version, `http://localhost:8787/v1`. */
  api: string;
  company: string;
  /** A secret key whose scopes are `job_openings.read`, `applications.write` and `capture_leads`. */
  key: { client_id: string; client_secret: string };
};

/** The open jobs, and what visitors send: applications with their files, and enquiries. */
export function formsServer({ api, company, key }: Settings): Hono {
  const ask = async (c: Context, path: string) => {
    const { method } = c.req;
    const response = await fetch(api + path, {
      method,
      headers: {
        "X-Client-Id": key.client_id,
        "X-Client-Secret": key.client_secret,
        // As the form has it: a multipart body names its boundary here.
        ...(method === "POST" && { "Content-Type": c.req.header("Content-Type") ?? "" }),
      },
      ...(method === "POST" && { body: await c.req.arrayBuffer() }),
      signal: AbortSignal.timeout(30_000),
    });
    const headers = { "Content-Type": "application/json" };
    return c.body(await response.text(), response.status as 200, headers);
  };
  const server = new Hono();
  server.get("/jobs", (c) => ask(c, `/recruitment/${company}/jobs`));
  server.post("/jobs/:slug/apply", (c) =>
    ask(c, `/recruitment/${company}/jobs/${encodeURIComponent(c.req.param("slug"))}/apply`),
  );
  server.post("/enquiry", (c) => ask(c, `/leads/${company}/capture`));
  return server;
}

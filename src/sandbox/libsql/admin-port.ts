import type { IncomingMessage, ServerResponse } from "node:http";
import { type Faults, isFaultList } from "./faults.ts";
import { HttpRefusal, parseJson, pathOf, readBody, requireToken, sendJson, sendText } from "./http.ts";
import { Namespaces } from "./namespaces.ts";

type Deps = {
  namespaces: Namespaces;
  token: string | undefined;
  faults: Faults | undefined;
  requests: Map<string, number>;
};

/** Makes the handler of the port that creates and deletes namespaces and, where allowed, sets faults. */
export function createAdminHandler({ namespaces, token, faults, requests }: Deps) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await readBody(request);
    if (token !== undefined) requireToken(request, token);
    const [area = "", second = "", name = "", action = ""] = pathOf(request).slice(1).split("/");
    const route = `${request.method} ${area}/${second}${name && "/:name"}${action && `/${action}`}`;
    switch (route) {
      case "POST v1/namespaces/:name/create":
        create(name);
        return sendText(response, "");
      case "GET v1/namespaces/:name/config":
        if (!namespaces.exists(name)) throw new HttpRefusal(404, { error: "Namespace doesn't exist" });
        return sendJson(response, 200, { durability_mode: "strong" });
      case "DELETE v1/namespaces/:name":
        remove(name);
        return sendText(response, "");
    }
    if (faults) {
      switch (route) {
        case "GET test/requests":
          return sendJson(response, 200, Object.fromEntries(requests));
        case "PUT test/faults/:name":
          setFaults(faults, name, parseJson(text));
          return sendText(response, "");
        case "DELETE test/faults/:name":
          faults.clear(name);
          return sendText(response, "");
      }
    }
    throw new HttpRefusal(404, { error: "Not found" });
  };

  function create(name: string): void {
    if (!Namespaces.isName(name)) throw new HttpRefusal(400, { error: "Invalid namespace" });
    if (namespaces.exists(name)) {
      throw new HttpRefusal(400, { error: `Namespace \`${name}\` already exists` });
    }
    namespaces.create(name);
  }

  function remove(name: string): void {
    if (!namespaces.exists(name)) {
      throw new HttpRefusal(404, { error: `Namespace \`${name}\` doesn't exist` });
    }
    namespaces.remove(name);
  }
}

function setFaults(faults: Faults, namespace: string, rules: unknown): void {
  if (!isFaultList(rules)) throw new HttpRefusal(400, { error: "The body is not a list of fault rules" });
  faults.set(namespace, rules);
}

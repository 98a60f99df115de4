import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "../../../src/sandbox/server/node-handler.ts";
import { bookingSite, type Values } from "../../../src/sandbox/site/booking/part.ts";

/** The demo's website on an origin of its own. */
export class Site {
  /** The key that its widget has; until it is known there is no page. */
  values: Values | undefined;
  /** Changes the page. */
  edit = (html: string) => html;
  #server: Server | undefined;

  static async open(): Promise<Site> {
    const site = new Site();
    const demo = bookingSite(() => site.values);
    site.#server = await serve(async (request) => {
      const response = await demo.fetch(request);
      const isPage = response.headers.get("Content-Type")?.startsWith("text/html");
      return isPage ? new Response(site.edit(await response.text()), response) : response;
    }, 0);
    return site;
  }

  get origin(): string {
    return originOf(this.#server);
  }

  get page(): string {
    return `${this.origin}/booking/`;
  }

  close(): void {
    end(this.#server);
  }
}

export function originOf(server: Server | undefined): string {
  const { port } = (server?.address() ?? { port: 0 }) as AddressInfo;
  return `http://localhost:${port}`;
}

export function end(server: Server | undefined): void {
  server?.close();
  server?.closeAllConnections();
}

import type { IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { inject } from "vitest";
import { ENDPOINTS, type Issued } from "../features/events/endpoints.ts";
import type { TestCompany } from "../support/company.ts";
import { serveOwn } from "../support/own-server.ts";
import { type Service, startService } from "../support/service.ts";
import { Draw, SEED } from "./draw.ts";

type Got = { path: string; headers: IncomingHttpHeaders; body: string; at: number; isTaken: boolean };

/** A plain server, as an integrator would write it, that fails a share of its requests, and a service that sends to it. */
export class FailingReceiver {
  readonly got: Got[] = [];
  failing: number;
  readonly service: Service;
  readonly #url: string;
  readonly #stop: () => void;

  private constructor(url: string, service: Service, failing: number, stop: () => void) {
    this.#url = url;
    this.service = service;
    this.failing = failing;
    this.#stop = stop;
  }

  static async start(failing: number): Promise<FailingReceiver> {
    const draw = new Draw(SEED);
    const { url, stop } = await serveOwn(async (request, response) => {
      const { headers, url: path = "" } = request;
      const isTaken = draw.share() >= receiver.failing;
      receiver.got.push({ path, headers, body: await text(request), at: Date.now(), isTaken });
      response.writeHead(isTaken ? 204 : 500).end();
    });
    const variables = { SANDBOX_RECEIVER: `${url}/` };
    const service = await startService(inject("service").bundle, [], { variables });
    const receiver = new FailingReceiver(url, service, failing, stop);
    return receiver;
  }

  /** Has events of a company sent to it. */
  async connect(company: TestCompany, types = ["*"]): Promise<Issued> {
    return company.make<Issued>(ENDPOINTS, { url: `${this.#url}/${company.slug}`, types });
  }

  /** How many requests it failed. */
  failed(): number {
    return this.got.filter(({ isTaken }) => !isTaken).length;
  }

  async stop(): Promise<void> {
    await this.service.stop();
    this.#stop();
  }
}

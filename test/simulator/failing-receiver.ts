import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { inject } from "vitest";
import { ENDPOINTS, type Issued } from "../features/events/endpoints.ts";
import { must, type TestCompany } from "../support/company.ts";
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
    const server = createServer(async (request, response) => {
      const { headers, url = "" } = request;
      const isTaken = draw.share() >= receiver.failing;
      receiver.got.push({ path: url, headers, body: await text(request), at: Date.now(), isTaken });
      response.writeHead(isTaken ? 204 : 500).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const variables = { SANDBOX_RECEIVER: url };
    const service = await startService(inject("service").bundle, [], { variables });
    const receiver = new FailingReceiver(url, service, failing, () => {
      server.close();
      server.closeAllConnections();
    });
    return receiver;
  }

  /** Has events of a company sent to it. */
  async connect(company: TestCompany, types = ["*"]): Promise<Issued> {
    const body = { url: this.#url + company.slug, types };
    return must(await company.call<Issued>("POST", ENDPOINTS, { body }), 201).body.data;
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

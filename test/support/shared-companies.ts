import type { Operation } from "#api/operations/operation.ts";
import { type TestCompany, Unexpected } from "./company.ts";
import { hasMade, keepRecords, type Prepared, prepare, reads, writes } from "./operations.ts";

/** A call that can be made, and the company in which its records are. */
export type Ready = { company: TestCompany; call: Prepared };

type Sharing = {
  /** How many reads share a company, and how many writes. */
  readers?: number;
  writers?: number;
};

/** Prepares the calls of a test file, in companies that they share or one of its own: each that is opened takes time. */
export class SharedCompanies {
  readonly #open: () => Promise<TestCompany>;
  readonly #opened = new Map<string, Promise<TestCompany>>();
  readonly #readers: number;
  readonly #writers: number;

  constructor(open: () => Promise<TestCompany>, { readers = 12, writers = 3 }: Sharing = {}) {
    this.#open = open;
    this.#readers = readers;
    this.#writers = writers;
  }

  /** In a company that serves other operations too, unless the records of the example are there already. */
  async readyFor(operation: Operation): Promise<Ready> {
    const company = await this.#companyOf(operation);
    try {
      if (!hasMade(company, operation)) return { company, call: await prepare(company, operation) };
    } catch (error) {
      if (!(error instanceof Unexpected) || error.answer.status !== 409) throw error;
    }
    return this.openAlone(operation);
  }

  async openAlone(operation: Operation): Promise<Ready> {
    const company = await this.#open();
    return { company, call: await prepare(company, operation) };
  }

  // Reads change nothing, so they share a company and its records. A write shares one with others from far away in the
  // list.
  #companyOf(operation: Operation): Promise<TestCompany> {
    const isRead = operation.method === "get";
    const group = isRead
      ? `reads ${Math.floor(reads.indexOf(operation) / this.#readers)}`
      : `writes ${writes.indexOf(operation) % Math.ceil(writes.length / this.#writers)}`;
    const company = this.#opened.get(group) ?? (isRead ? this.#open().then(keepRecords) : this.#open());
    this.#opened.set(group, company);
    return company;
  }
}

import type * as z from "zod";
import type { area } from "../../../src/features/projects/areas/areas.ts";
import type { iteration } from "../../../src/features/projects/iterations/iterations.ts";
import type { milestone } from "../../../src/features/projects/milestones/milestones.ts";
import type { project } from "../../../src/features/projects/projects/projects.ts";
import type { sprint } from "../../../src/features/projects/sprints/record.ts";
import type { Burndown } from "../../../src/features/projects/sprints/schema.ts";
import type { workItemDetail } from "../../../src/features/projects/work-items/record.ts";
import { must, openBusy, type TestCompany } from "../../support/company.ts";
import type { Answer } from "../../support/http.ts";

export type ItemRecord = z.infer<typeof workItemDetail.schema>;
export type SprintRecord = z.infer<typeof sprint.schema>;
export type MilestoneRecord = z.infer<typeof milestone.schema>;
export type NodeRecord = z.infer<typeof area.schema>;
type Fields = Record<string, unknown>;
type Options = Parameters<TestCompany["call"]>[2];

/** A project of a test's own, and what a team does on its board. */
export class Board {
  readonly company: TestCompany;
  readonly id: number;
  readonly code: string;

  constructor(company: TestCompany, { id, code }: { id: number; code: string }) {
    this.company = company;
    this.id = id;
    this.code = code;
  }

  /** A call on this project: `path` from behind its id. */
  call<Data = Fields>(method: string, path: string, options: Options = {}): Promise<Answer<Data>> {
    return this.company.call<Data>(method, this.path(path), options);
  }

  path(behind: string): string {
    return `/projects/:company/projects/${this.id}${behind}`;
  }

  /** What is to be read at a path on it. */
  async read<Data = Fields>(path: string): Promise<Data> {
    return must(await this.call<Data>("GET", path), 200).body.data;
  }

  /** What a POST makes there. */
  async make<Data = Fields>(path: string, body: Fields): Promise<Data> {
    return must(await this.call<Data>("POST", path, { body }), 201).body.data;
  }

  async item(fields: Fields = {}): Promise<ItemRecord> {
    return must(await this.postItem(fields), 201).body.data;
  }

  postItem(fields: Fields = {}): Promise<Answer<ItemRecord>> {
    return this.call("POST", "/work-items", { body: { title: "Pay by UPI", ...fields } });
  }

  async get(id: number): Promise<ItemRecord> {
    return this.read<ItemRecord>(`/work-items/${id}`);
  }

  patch(id: number, body: Fields, options: Options = {}): Promise<Answer<ItemRecord>> {
    return this.call("PATCH", `/work-items/${id}`, { body, ...options });
  }

  move(id: number, body: Fields, options: Options = {}): Promise<Answer<ItemRecord>> {
    return this.call("POST", `/work-items/${id}/transition`, { body, ...options });
  }

  /** The items of one page; `query` from behind the question mark. */
  async items(query = ""): Promise<ItemRecord[]> {
    return this.read<ItemRecord[]>(`/work-items?${query}`);
  }

  async area(name: string, parent_id: number | null = null): Promise<NodeRecord> {
    return this.make<NodeRecord>("/areas", { name, parent_id });
  }

  async iteration(fields: Fields): Promise<z.infer<typeof iteration.schema>> {
    return this.make<z.infer<typeof iteration.schema>>("/iterations", fields);
  }

  async milestone(fields: Fields = {}): Promise<MilestoneRecord> {
    const body = { name: "Payments go live", ...fields };
    return this.make<MilestoneRecord>("/milestones", body);
  }

  async sprint(fields: Fields = {}): Promise<SprintRecord> {
    const body = { name: "Sprint", start_date: "2026-11-02", end_date: "2026-11-06", ...fields };
    return this.make<SprintRecord>("/sprints", body);
  }

  start(id: number): Promise<Answer<SprintRecord>> {
    return this.call("POST", `/sprints/${id}/start`);
  }

  complete(id: number, move_open_to: number | null = null): Promise<Answer<SprintRecord>> {
    return this.call("POST", `/sprints/${id}/complete`, { body: { move_open_to } });
  }

  async burndown(id: number, unit = "points"): Promise<z.infer<typeof Burndown>["days"]> {
    return (await this.read<z.infer<typeof Burndown>>(`/sprints/${id}/burndown?unit=${unit}`)).days;
  }
}

/** Opens a project in a company. */
export async function newBoard(company: TestCompany, fields: Fields = {}): Promise<Board> {
  const body = { name: "Web shop", ...fields };
  return new Board(
    company,
    await company.make<z.infer<typeof project.schema>>("/projects/:company/projects", body),
  );
}

/** Opens a company with a project in it. */
export async function openBoard(fields: Fields = {}, company: Fields = {}): Promise<Board> {
  const opened = await openBusy(company);
  return newBoard(opened, fields);
}

export async function newEmployee(company: TestCompany, fields: Fields = {}): Promise<number> {
  const body = { name: "Kavya Rao", ...fields };
  return (await company.make<{ id: number }>("/settings/:company/employees", body)).id;
}

import type { TestCompany } from "../../../support/company.ts";
import { schoolCall } from "../../school.ts";

/** A place of a school's area. */
export const PARRAMATTA = { latitude: -33.815, longitude: 151.0011 };

type Listed = {
  id: number;
  name: string;
  distance_km?: number;
  next_available?: { date: string; start: string; end: string; timezone: string } | null;
};

/** The instructors that a query finds. */
export async function list(company: TestCompany, query = ""): Promise<Listed[]> {
  const answer = await schoolCall<{ instructors: Listed[] }>(company, "GET", `/instructors${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.instructors;
}

/** Their names. */
export async function names(company: TestCompany, query = ""): Promise<string[]> {
  return (await list(company, query)).map(({ name }) => name);
}

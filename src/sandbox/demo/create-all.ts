import type { Api, Data } from "../api.ts";

/** Makes the records one after the other, and gives their ids. */
export async function createAll<Id = string>(
  api: Api,
  path: string,
  name: string,
  records: readonly object[],
): Promise<Id[]> {
  const ids: Id[] = [];
  for (const [index, record] of records.entries())
    ids.push((await api.create<Data<{ id: Id }>>(path, `demo-${name}-${index + 1}`, record)).data.id);
  return ids;
}

/** The id of the unit of a code. */
export async function unitOf(api: Api, slug: string, code: string): Promise<string | undefined> {
  const { data: units } = await api.get<Data<{ id: string; code: string }[]>>(`/products/${slug}/units`);
  return units.find((unit) => unit.code === code)?.id;
}

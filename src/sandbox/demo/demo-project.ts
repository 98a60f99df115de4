import { addDays } from "#shared/time/dates.ts";
import type { Api } from "../api.ts";
import { AREAS, type DemoItem, ITEMS, ITERATIONS, MILESTONES, PEOPLE, SPRINT } from "./demo-project-data.ts";

const DAY_SECONDS = 86_400;

type Step = { daysAgo: number; run: () => Promise<unknown> };

/**
 * A project in the middle of a sprint. It is made day by day with the company's clock set back, so that the history and
 * the burn-down show past days; `today` is a date of the company.
 */
export async function makeProject(platform: Api, api: Api, slug: string, today: string): Promise<void> {
  let made = 0;
  const create = async (path: string, body: object): Promise<number> => {
    made += 1;
    return (await api.create<{ data: { id: number } }>(path, `demo-project-${made}`, body)).data.id;
  };
  const setDaysAgo = (days: number) =>
    platform.patch(`/platform/companies/${slug}`, { clock_offset_seconds: -days * DAY_SECONDS });

  const [first] = ITEMS;
  await setDaysAgo(first?.daysAgo ?? 0);
  const people: number[] = [];
  for (const person of PEOPLE) people.push(await create(`/settings/${slug}/employees`, person));
  const review = { name: "Ready for test", category: "in_progress", position: 4 };
  await create(`/settings/${slug}/work-item-statuses`, review);
  const project = {
    name: "Web shop relaunch",
    code: "SHOP",
    description: "The shop that customers open on their phones.",
  };
  const base = `/projects/${slug}/projects/${await create(`/projects/${slug}/projects`, project)}`;

  const areas = new Map<string, number>();
  for (const path of AREAS) areas.set(path, await create(`${base}/areas`, placed(path, areas)));
  const iterations = new Map<string, number>();
  for (const { path, type, starts, ends } of ITERATIONS) {
    const dates = { start_date: addDays(today, starts), end_date: addDays(today, ends) };
    const body = { ...placed(path, iterations), type, ...dates };
    iterations.set(path, await create(`${base}/iterations`, body));
  }
  for (const { name, due, status } of MILESTONES)
    await create(`${base}/milestones`, { name, status, due_date: addDays(today, due) });
  const sprint = await create(`${base}/sprints`, {
    name: SPRINT.name,
    goal: SPRINT.goal,
    iteration_id: iterations.get("Release 3"),
    start_date: addDays(today, SPRINT.starts),
    end_date: addDays(today, SPRINT.ends),
  });

  const items = new Map<string, number>();
  const steps: Step[] = [{ daysAgo: -SPRINT.starts, run: () => api.post(`${base}/sprints/${sprint}/start`) }];
  for (const item of ITEMS) {
    const { title, daysAgo, moves = [] } = item;
    steps.push({
      daysAgo,
      run: async () => {
        const body = {
          ...bodyOf(item, items, people, areas),
          sprint_id: item.planned === false ? null : sprint,
        };
        items.set(title, await create(`${base}/work-items`, body));
      },
    });
    for (const [ago, status, comment] of moves)
      steps.push({
        daysAgo: ago,
        run: () => create(`${base}/work-items/${items.get(title)}/transition`, { status, comment }),
      });
  }
  let clock = first?.daysAgo;
  for (const { daysAgo, run } of steps.sort((a, b) => b.daysAgo - a.daysAgo)) {
    if (daysAgo !== clock) await setDaysAgo(daysAgo);
    clock = daysAgo;
    await run();
  }
  await setDaysAgo(0);
}

/** The name and parent of a node, out of its path. */
function placed(path: string, made: ReadonlyMap<string, number>) {
  const at = path.lastIndexOf("/");
  return { name: path.slice(at + 1), parent_id: made.get(path.slice(0, Math.max(0, at))) ?? null };
}

function bodyOf(
  { title, fields, area = "", parent = "", person = -1 }: DemoItem,
  items: ReadonlyMap<string, number>,
  people: readonly number[],
  areas: ReadonlyMap<string, number>,
) {
  return {
    title,
    ...fields,
    area_id: areas.get(area) ?? null,
    parent_id: items.get(parent) ?? null,
    assigned_to: people[person] ?? null,
  };
}

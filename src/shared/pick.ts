/** The members of an object that are named. */
export function pick<All extends object, Name extends keyof All>(
  all: All,
  ...names: readonly Name[]
): Pick<All, Name> {
  return Object.fromEntries(names.map((name) => [name, all[name]])) as Pick<All, Name>;
}

/** Makes verbs that know `kinds`: each function gets them behind its context. */
export function knowing<Kinds>(kinds: Kinds) {
  return <Ctx, Given extends unknown[], Answer>(verb: (ctx: Ctx, kinds: Kinds, ...given: Given) => Answer) =>
    (ctx: Ctx, ...given: Given): Answer =>
      verb(ctx, kinds, ...given);
}

/** Makes verbs that know `kinds`: each function gets them behind its own arguments. */
export function knowing<Kinds>(kinds: Kinds) {
  return <Given extends unknown[], Answer>(verb: (...given: [...Given, Kinds]) => Answer) =>
    (...given: Given): Answer =>
      verb(...given, kinds);
}

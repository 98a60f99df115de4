const MOST = 1_000;

/** Puts a value into the map as its newest; of more than a thousand the oldest is forgotten. */
export function putNewest<Value>(map: Map<string, Value>, name: string, value: Value): void {
  map.delete(name);
  map.set(name, value);
  const oldest = map.keys().next();
  if (map.size > MOST && !oldest.done) map.delete(oldest.value);
}

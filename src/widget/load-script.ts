const loaded = new Map<string, Promise<void>>();

/** Loads another site's script, once; one that does not come can be asked for again. */
export function loadScript(src: string): Promise<void> {
  const known = loaded.get(src);
  if (known) return known;
  const coming = new Promise<void>((resolve, reject) => {
    const script = document.createElement("script");
    Object.assign(script, { src, async: true, onload: () => resolve(), onerror: reject });
    document.head.append(script);
  });
  loaded.set(src, coming);
  coming.catch(() => loaded.delete(src));
  return coming;
}

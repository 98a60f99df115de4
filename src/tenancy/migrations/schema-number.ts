/** JSON of what this release was built with; the build puts it in here. */
declare const RELEASE: string | undefined;

/** The number of the schema that this release makes and needs; 0 where no build has put it in. */
export function schemaNumber(): number {
  return typeof RELEASE === "undefined" ? 0 : (JSON.parse(RELEASE) as { schema: number }).schema;
}

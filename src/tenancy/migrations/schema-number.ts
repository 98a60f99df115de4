/** JSON of what this release was built with; the build puts it in here. */
declare const RELEASE: string;

/** The number of the schema that this release makes and needs. */
export function schemaNumber(): number {
  return (JSON.parse(RELEASE) as { schema: number }).schema;
}

import { isSeen } from "#shared/fields/text.ts";
import { withoutMarks } from "#shared/text/without-marks.ts";

/** Of one file. */
export const MOST_FILE_BYTES = 10 * 1024 * 1024;
const MOST_PATH_BYTES = 100;
/** Of a name in the file systems of people. */
const MOST_NAME_BYTES = 255;
const NAMELESS = "file";

/** A file as it came in a form. In JSON, as in an example of the API's document, it is its name. */
export class Upload {
  /** As the client sent it; not fit for a path. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;

  constructor(name: string, bytes: Uint8Array<ArrayBuffer>) {
    this.name = name;
    this.bytes = bytes;
  }

  /** What stands after the last dot of the name, in lower case. */
  get extension(): string {
    return extensionOf(this.name);
  }

  /** The name without folders: letters and digits of any script, underscores and hyphens, 255 bytes at most. */
  get givenName(): string {
    const name = withoutMarks(this.name.normalize("NFC"));
    return plainName(name, /[^\p{L}\p{M}\p{N}\p{Join_Control}_-]+/gu, MOST_NAME_BYTES);
  }

  toJSON(): string {
    return this.name;
  }
}

/** A file's name in ASCII, 100 bytes at most, as paths and old clients take it; the extension stays. */
export function asciiName(name: string): string {
  return plainName(name.normalize("NFKD").replace(/\p{M}/gu, ""), /[^A-Za-z0-9_-]+/g, MOST_PATH_BYTES);
}

function extensionOf(name: string): string {
  return /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase() ?? "";
}

function plainName(name: string, others: RegExp, most: number): string {
  const extension = `.${extensionOf(name)}`;
  const [last = ""] = name.split(/[/\\]/).slice(-1);
  const stem = last
    .slice(0, -extension.length)
    .replace(others, "-")
    .replace(/^-+|-+$/g, "");
  const { read } = new TextEncoder().encodeInto(stem, new Uint8Array(most - extension.length));
  return `${isSeen(stem) ? stem.slice(0, read) : NAMELESS}${extension}`;
}

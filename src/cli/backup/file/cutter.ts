import { Failure } from "../../failure.ts";

/** Cuts a text that comes in chunks, and holds no more of it than one piece. */
export class Cutter {
  readonly #chunks: AsyncIterator<string>;
  #rest = "";

  constructor(chunks: AsyncIterator<string>) {
    this.#chunks = chunks;
  }

  /**
   * The text up to the end of the next `mark`, or all that is left where there is none. Throws a Failure of this message
   * where it has more than `most` characters. Each character is looked at once.
   */
  async until(mark: string, most: number, message: string): Promise<{ text: string; found: boolean }> {
    const held: string[] = [];
    let length = 0;
    // A mark may begin in one chunk and end in the next.
    let before = "";
    for (let chunk = this.#rest; ; ) {
      const searched = before + chunk;
      const at = searched.indexOf(mark);
      const end = at < 0 ? chunk.length : at + mark.length - before.length;
      held.push(chunk.slice(0, end));
      length += end;
      if (length > most) throw new Failure(message);
      this.#rest = chunk.slice(end);
      if (at >= 0) return { text: held.join(""), found: true };
      before = searched.slice(searched.length - Math.min(searched.length, mark.length - 1));
      const step = await this.#chunks.next();
      if (step.done === true) return { text: held.join(""), found: false };
      chunk = step.value;
    }
  }
}

import { readKept, writeKept } from "../data-folder/kept-file.ts";

/** Records of the gateways by their ids; a file, where one is given, keeps them between starts. */
export class KeptRecords<Item extends { id: string }> {
  protected readonly byId: Map<string, Item>;
  readonly #file: string | undefined;

  constructor(file?: string) {
    this.#file = file;
    this.byId = new Map(readKept<Item[]>(file)?.map((item) => [item.id, item]));
  }

  add(item: Item): Item {
    this.byId.set(item.id, item);
    this.save();
    return item;
  }

  /** Keeps what has changed. */
  save(): void {
    writeKept(this.#file, this.kept([...this.byId.values()]));
  }

  /** What of all the file keeps. */
  protected kept(all: Item[]): Item[] {
    return all;
  }
}

import { seededRandom } from "../../src/sandbox/gateways/seeded-random.ts";

/** MODEL_SEED draws what an earlier run drew. */
export const SEED = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31);

/** What chance decides, by a seed. */
export class Draw {
  readonly share: () => number;

  constructor(seed: number) {
    this.share = seededRandom(seed);
  }

  below(bound: number): number {
    return Math.floor(this.share() * bound);
  }

  from(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** One time in so many. */
  oneIn(times: number): boolean {
    return this.below(times) === 0;
  }

  one<One>(list: readonly [One, ...One[]]): One;
  one<One>(list: readonly One[]): One | undefined;
  one<One>(list: readonly One[]): One | undefined {
    return list[this.below(list.length)];
  }

  /** One of the newest so many. */
  late<One>(list: readonly One[], many: number): One | undefined {
    return this.one(list.slice(-many));
  }
}

/** The exact integer `value` x 10^`places` of the number's shortest decimal text, or undefined when there is none that is safe. */
export function toScaled(value: number, places: number): number | undefined {
  const [mantissa = "", exponentText = "0"] = String(value).split("e");
  const fraction = mantissa.split(".")[1] ?? "";
  const exponent = Number(exponentText);
  if (fraction.length - exponent > places) return undefined;
  const scaled = Number(`${mantissa}e${exponent + places}`);
  return Number.isSafeInteger(scaled) ? scaled : undefined;
}

/** The number nearest to the integer `scaled` / 10^`places`: parsed from text, because a division by a power of ten may be rounded twice. */
export function fromScaled(scaled: number, places: number): number {
  return Number(`${scaled}e-${places}`);
}

/** The integer nearest to `numerator` / `denominator` (which must be positive), a half going away from zero. */
export function roundHalfUp(numerator: bigint, denominator: bigint): bigint {
  const magnitude = numerator < 0n ? -numerator : numerator;
  const rounded = (2n * magnitude + denominator) / (2n * denominator);
  return numerator < 0n ? -rounded : rounded;
}

import { fieldProblem } from "#shared/problem.ts";
import { quoted } from "#shared/text/quoted.ts";
import type { FieldRow } from "../fields/fields.ts";
import type { CustomFields } from "./record.ts";

const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/** Throws 422 for a value whose field is not there, or is of another type. */
export function checkCustomFields(values: CustomFields, fields: readonly FieldRow[]): void {
  for (const [key, value] of Object.entries(values)) {
    const field = fields.find((one) => one.key === key);
    const name = `custom_fields.${quoted(key)}`;
    if (field === undefined) throw fieldProblem(name, "unknown_field", "names no instructor field");
    if (!fits(field, value)) throw fieldProblem(name, "invalid_value", `must be ${DESCRIPTIONS[field.type]}`);
  }
}

const DESCRIPTIONS: Record<FieldRow["type"], string> = {
  text: "a text",
  number: "a number",
  boolean: "true or false",
  select: "one of its options",
  multiselect: "a list of its options",
  date: "a date YYYY-MM-DD",
};

function fits({ type, options }: FieldRow, value: CustomFields[string]): boolean {
  const isOption = (one: unknown) => options === null || options.some((option) => option === one);
  switch (type) {
    case "number":
    case "boolean":
      return typeof value === type;
    case "multiselect":
      return Array.isArray(value) && value.every(isOption);
    case "select":
      return typeof value === "string" && isOption(value);
    case "date":
      return typeof value === "string" && DATE.test(value) && !Number.isNaN(Date.parse(value));
    default:
      return typeof value === "string";
  }
}

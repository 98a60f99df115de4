import { expect, test } from "vitest";
import { checkBody } from "#api/bodies/blanks.ts";
import { bodyMembers, built, exampleBody } from "../support/operations.ts";

const lenient = built.filter(({ takesBlanks }) => takesBlanks);

test.each(lenient)(
  "$id takes a blank member as what is not there, or refuses it by its name",
  (operation) => {
    const { body: schema, method } = operation;
    if (schema === undefined) return expect.unreachable();
    for (const name of bodyMembers(operation).all) {
      const { [name]: _, ...others } = exampleBody(operation);
      // A text field has the empty text for its own.
      if (schema.safeParse({ ...others, [name]: "" }).success) continue;
      const checked = checkBody(operation, schema, { ...others, [name]: " \u200b" });
      const empty = schema.safeParse(method === "patch" ? { ...others, [name]: null } : others);
      if (empty.success) expect(checked, name).toEqual(empty);
      else expect(checked.error?.issues, name).toMatchObject([{ path: [name] }]);
    }
  },
);

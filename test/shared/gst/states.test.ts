import { expect, test } from "vitest";
import { findIndianState, stateName } from "#shared/places/states.ts";
import { STATES as IN_HINDI } from "#shared/places/states-in-hindi.ts";
import vectors from "../../vectors/states.json" with { type: "json" };

test("a state is found by its name, its letters and its GST code, ignoring case and spaces", () => {
  for (const text of ["Karnataka", "karnataka", " KARNATAKA ", "KA", "ka", "29"]) {
    expect(findIndianState(text), text).toEqual({ code: "29", name: "Karnataka" });
  }
  expect(findIndianState("tamil  nadu")?.code).toBe("33");
  expect(findIndianState("TamilNadu")?.code).toBe("33");
});

test("old names and spellings find today's state", () => {
  const today = {
    Orissa: "Odisha",
    OD: "Odisha",
    LA: "Ladakh",
    DNHDD: "Dadra and Nagar Haveli and Daman and Diu",
    Pondicherry: "Puducherry",
    Uttaranchal: "Uttarakhand",
    "NCT of Delhi": "Delhi",
    "Jammu & Kashmir": "Jammu and Kashmir",
    "Daman & Diu": "Dadra and Nagar Haveli and Daman and Diu",
    "25": "Dadra and Nagar Haveli and Daman and Diu",
  };
  for (const [old, name] of Object.entries(today)) expect(findIndianState(old)?.name).toBe(name);
});

test.each(vectors.states)("%j is the state of the code %s", (text, code) => {
  expect(findIndianState(text)?.code).toBe(code);
});

test("a state is found by its name in Hindi, however its letters are composed", () => {
  for (const [code, text] of Object.entries(IN_HINDI))
    for (const form of ["NFC", "NFD"]) expect(findIndianState(text.normalize(form))?.code).toBe(code);
  for (const [text, code] of [
    ["ગુજરાત", "24"],
    ["ଓଡ଼ିଶା", "21"],
    ["1-jammu & kashmir", "01"],
    ["in-tg", "36"],
  ])
    expect(findIndianState(text ?? "")?.code).toBe(code);
});

test("what is no state is not found", () => {
  for (const text of [
    "",
    " ",
    "New South Wales",
    "28",
    "39",
    "99",
    "0",
    "29-Kerala",
    "28-Karnataka",
    "IN-29",
    "US-KA",
    "constructor",
    "__proto__",
  ]) {
    expect(findIndianState(text), text).toBeUndefined();
  }
});

test("every code has one name, and the name leads back to the code", () => {
  const codes = Array.from({ length: 100 }, (_, code) => String(code).padStart(2, "0")).filter(stateName);
  expect(codes).toHaveLength(38);
  for (const code of codes) expect(findIndianState(stateName(code) ?? "")?.code).toBe(code);
});

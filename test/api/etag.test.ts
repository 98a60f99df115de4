import { expect, test } from "vitest";
import { versionIn } from "#api/etag.ts";

test("a version is taken in quotes, strong or weak; none and any say nothing", () => {
  expect(versionIn('"4"')).toEqual({ expected_version: 4 });
  expect(versionIn('W/"4"')).toEqual({ expected_version: 4 });
  expect([versionIn(undefined), versionIn("*")]).toEqual([{}, {}]);
});

// The runtime of the tests drops the first before the Worker sees it, so the service cannot be asked.
test.each(["", " ", '""', 'W/""', '"0"', '"x"', "4", '"4", "5"', 'w/"4"', '"1234567890123456"'])(
  "%j is 422",
  (header) => {
    expect(() => versionIn(header)).toThrow("must be a version in quotes");
  },
);

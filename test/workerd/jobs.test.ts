import { describe, expect, test, vi } from "vitest";
import { waitAWhile } from "#core/jobs.ts";

describe("a job", () => {
  test("ends with its work, and goes on with nothing afterwards", async () => {
    const afterwards = vi.fn();
    await waitAWhile(Promise.resolve("done"), afterwards);
    expect(afterwards).not.toHaveBeenCalled();
  });

  test("fails with its work", async () => {
    const afterwards = vi.fn();
    await expect(waitAWhile(Promise.reject(new Error("refused")), afterwards)).rejects.toThrow("refused");
    expect(afterwards).not.toHaveBeenCalled();
  });

  test("ends although its work hangs, which goes on afterwards", async () => {
    const afterwards = vi.fn();
    const hanging = new Promise<never>(() => undefined);
    await waitAWhile(hanging, afterwards);
    expect(afterwards).toHaveBeenCalledWith(hanging);
  });
});

import * as z from "zod";

export const CourseQuery = z.object({
  transmission: z.enum(["auto", "manual"]).optional(),
  type: z.enum(["lesson", "package"]).optional(),
});
export const Course = z
  .object({
    id: z.int(),
    name: z.string(),
    price: z.number().meta({ description: "The price of a booking, with tax." }),
    currency: z.string(),
    duration_minutes: z.int().meta({ description: "The course's length, else the default slot length." }),
    transmission: z.enum(["auto", "manual"]),
    is_package: z.boolean(),
    sessions: z.int().nullable().meta({ description: "The number of lessons in a package." }),
    product_type: z.string(),
  })
  .meta({ id: "Course" });

export type CourseQuery = z.infer<typeof CourseQuery>;

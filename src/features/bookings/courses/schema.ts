import * as z from "zod";

export const CourseQuery = z.object({
  transmission: z.enum(["auto", "manual"]).optional(),
  type: z.enum(["lesson", "package"]).optional(),
});
export const Course = z
  .object({
    id: z.int(),
    name: z.string(),
    price: z.number().meta({ description: "With its tax: what a booking costs." }),
    currency: z.string(),
    duration_minutes: z.int(),
    transmission: z.enum(["auto", "manual"]),
    is_package: z.boolean(),
    sessions: z.int().nullable().meta({ description: "Lessons in a package." }),
    product_type: z.string(),
  })
  .meta({ id: "Course" });

export type CourseQuery = z.infer<typeof CourseQuery>;

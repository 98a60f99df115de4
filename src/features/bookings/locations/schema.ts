import * as z from "zod";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanMultilineText, cleanText } from "#shared/fields/text.ts";

const fields = z.object({
  name: cleanText({ min: 1, max: 255 }),
  type: cleanText({ min: 1, max: 50 }).meta({ description: "Such as test_centre, pickup_point or office." }),
  city: cleanText({ max: 100 }).nullable(),
  state: cleanText({ max: 100 }).nullable(),
  postcode: cleanText({ max: 10 }).nullable(),
  latitude: z.number().min(-90).max(90).nullable(),
  longitude: z.number().min(-180).max(180).nullable(),
  operating_hours: cleanMultilineText({ max: 500 }).nullable(),
  is_active: z.boolean().meta({ description: "Only active locations are shown for booking." }),
});

export const LocationCreate = fields.partial().required({ name: true, type: true });
export const LocationPatch = patchOf(fields);

/** A location as a booking page sees it. */
export const Location = z.object({
  id: z.int(),
  name: z.string(),
  type: z.string(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  postcode: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  operating_hours: z.string().nullable(),
});
/** A location as its company sees it. */
export const LocationSettings = Location.extend({
  is_active: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});

export type LocationCreate = z.infer<typeof LocationCreate>;
export type LocationPatch = z.infer<typeof LocationPatch>;

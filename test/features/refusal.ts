/** What the answer that refuses a call has at least: its status, its code, and these members of its body. */
export const refusal = (status: number, code: string, members: object = {}) => ({
  status,
  body: { code, ...members },
});

/** That a call is refused for a field, and by which of the field's codes. */
export const wrongField = (field: string, code?: string) => ({
  status: 422,
  body: { errors: [{ field, ...(code && { code }) }] },
});

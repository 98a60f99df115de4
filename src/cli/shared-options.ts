// The options that several commands have.
const hostOptions = {
  url: {
    type: "string",
    description: "Address of the host, or COMPANY_OPS_URL",
    valueHint: "https://api.example.com",
  },
} as const;
export const platformOptions = {
  ...hostOptions,
  "platform-token": { type: "string", description: "PLATFORM_TOKEN of the service, or that variable" },
} as const;
export const jsonOption = { type: "boolean", description: "As JSON, for scripts", default: false } as const;
/** Of a command that prints nothing but JSON: scripts may ask every command for it. */
export const isJsonOption = { ...jsonOption, description: "As JSON, which it always is" } as const;
export const lostOption = {
  type: "string",
  description: "The name of the company's database that does not answer and is lost; it is shut out for good",
} as const;
export const keyOptions = {
  ...hostOptions,
  company: { type: "string", description: "The company's slug" },
  "client-id": { type: "string", description: "A key that may do this, or COMPANY_OPS_CLIENT_ID" },
  "client-secret": { type: "string", description: "Its secret, or COMPANY_OPS_CLIENT_SECRET" },
} as const;

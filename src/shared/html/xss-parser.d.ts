declare module "xss/lib/parser.js" {
  const parser: Pick<typeof import("xss"), "parseAttr" | "parseTag">;
  export default parser;
}

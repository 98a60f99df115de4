declare module "xss/lib/parser.js" {
  import type { parseAttr, parseTag } from "xss";

  const parser: { parseAttr: typeof parseAttr; parseTag: typeof parseTag };
  export default parser;
}

/** What answers without a key. Where it is `limited`, the caller's address is counted before a database is asked. */
type PublicAddress = { route: string; reason: string; limited?: true };

const BASES = ["/v1", "/api/v1"];

function each(reason: string, ...routes: string[]): PublicAddress[] {
  return routes.map((route) => ({ route, reason }));
}

function limited(reason: string, ...routes: string[]): PublicAddress[] {
  return each(reason, ...routes).map((address) => ({ ...address, limited: true }));
}

const perBase = [
  ...each("the API document, for clients and browsers", "GET /openapi.json", "GET /openapi-3.0.json"),
  ...limited("browsers send no key with a preflight", "OPTIONS /schools/:company/*"),
  ...limited("gateways sign what they send", "POST /storefront/:company/webhook/:gateway"),
  ...each("the chat-app proves itself by a token of its own", "GET /webhooks/chatapp"),
  ...limited(
    "providers sign what they send, or their address has a token",
    "POST /webhooks/chatapp",
    "GET /webhooks/sms/:company/:kind/:token",
    "POST /webhooks/sms/:company/:kind/:token",
    "POST /webhooks/email/:company/:kind/:token",
  ),
];

/** Every address that answers without a valid key, with the reason. */
export const PUBLIC: readonly PublicAddress[] = [
  ...each("monitors have no key; the answer is kept for 5 s", "GET /health", "GET /ready"),
  ...each(
    "documents of the build",
    ...["GET /", "GET /llms.txt", "GET /errors", "GET /errors/", "GET /errors/:code"],
    ...["GET /docs", "GET /docs/", "GET /docs/demo.json", "GET /docs/:file", "GET /docs/pages/:name"],
    ...["GET /docs/guides", "GET /docs/guides/", "GET /docs/guides/:name", "GET /widget/v1/:file"],
    ...["GET /docs/guides.md", "GET /b/page.js"],
  ),
  ...each(
    "programs find the API and its documents by these",
    ...["GET /.well-known/api-catalog", "GET /.well-known/ai-catalog.json", "GET /mcp/server-card"],
  ),
  ...limited(
    "the token of the address is the right to see and use the page",
    ...["GET /i/:company/:token", "GET /c/:company/:token", "GET /cal/:company/:token"],
    ...["GET /u/:company/:token", "POST /u/:company/:token"],
    ...["GET /n/:company/:token", "GET /n/:company/:token/resume"],
    ...["lead", "application", "order"].map((kind) => `POST /n/:company/:token/${kind}`),
    ...["pay", "paid"].flatMap((page) => [
      `GET /i/:company/:token/${page}`,
      `POST /i/:company/:token/${page}`,
    ]),
    ...["", "/receipt", "/refund-voucher", "/booking.ics"].map((page) => `GET /b/:company/:token${page}`),
    ...["move", "cancel", "confirm", "pay", "paid"].flatMap((page) => [
      `GET /b/:company/:token/${page}`,
      `POST /b/:company/:token/${page}`,
    ]),
  ),
  ...BASES.flatMap((base) =>
    perBase.map(({ route, ...rest }) => ({ ...rest, route: route.replace(" ", ` ${base}`) })),
  ),
];

/** What the document says of itself; generators copy it into each of their files. */
export const SHORT_DESCRIPTION =
  "One company's business account over HTTP: GST invoices, customers, stock, payments, messaging, bookings and projects. What holds for every operation: [the reference](/docs). First steps: [the guides](/docs/guides). [Error codes](/errors).";

/** What holds for every operation, in Markdown, as the reference page begins with it. */
export const HOUSE_RULES = `One company's business account over HTTP: GST invoices, customers, stock, payments, messaging, bookings and projects.

Operations on a company stand under the base address, \`/v1\` (\`/api/v1\` is its equal). Bodies and replies are JSON in UTF-8; times are UTC, money is in major units with at most two decimals.

## Start here

1. Read the company that the key is of: \`GET /settings/{company}/profile\`. An answer of 401 or 403 says what is wrong with the key.
2. Add a customer with \`POST /customers/{company}\`, and note the \`id\` of the answer.
3. Issue an invoice with \`POST /invoices/{company}\`: the \`customer_id\`, and one item with \`item_name\`, \`quantity\`, \`unit\`, \`unit_price\` and \`tax_rate\`.
4. Record its payment with \`POST /payments/{company}\`, or send the customer its \`hosted_url\` to pay online.
5. Hear of what happens later: \`POST /settings/{company}/event-endpoints\`.

A shop begins with Storefront, a driving school with Bookings. [The guides](/docs/guides) lead there step by step, with samples that run as they stand; programs read [llms.txt](/llms.txt).

## Numbers

\`x-kind\` of a schema says what a number stands for. \`money\`: major units of the record's \`currency\`, an ISO 4217 code (of the company's where it has none), at most 2 decimals. \`unit_price\`: the same for one unit, at most 4 decimals. \`quantity\`: in the line's or the product's \`unit\`, at most 3 decimals. \`percent\`: 18 is 18 %, at most 3 decimals.

## Authentication

Keys are made in the settings (\`POST /settings/{company}/keys\`) and belong to one company.

- A **secret key** signs with two headers, \`X-Client-Id: ck_...\` and \`X-Client-Secret: sk_...\`, and may do what its scopes allow. A scope that writes opens no read: a write answers the record that it wrote, as a read would show it, so a key that may change a record sees it. Its secret is shown once.
- A **publishable key** (\`X-Client-Id: pk_...\` alone) is for browsers: it works in Bookings only, and only from the origins on its allow-list.
- **Platform operations**, at the root of the host, take \`Authorization: Bearer ...\` with the operator's token.

## Safe retries

Send an \`Idempotency-Key\` (1 to 255 printable ASCII characters without spaces, a UUID will do) with a write. For 24 hours the same key, path and body give the first answer again, with \`Idempotent-Replayed: true\`, and nothing is done twice. Another body under the same key is 422 \`idempotency_key_reused\`. Only successes are remembered: after a refusal the key is free. An answer that showed a secret shows it again, until its 24 hours are over: it is kept encrypted. One that was erased with a person is 404, and nothing is done again. On 503 \`outcome_unknown\` retry with the same key. 503 \`unavailable\`, \`database_blocked\` and \`upgrading\` say that this call did nothing, and nothing of an earlier one under its key.

## Members that are not known

A member that is nearly a known one, such as \`productId\`, is refused with 422 \`unknown_member\`, and so is any other where a call gives money back. Elsewhere it is ignored, and the header \`X-Ignored-Members\` of the answer names it (\`X-Ignored-Parameters\` a query parameter): while you build, look at it after each write.

A blank text in place of an optional date, amount, id, word of a list or the like, as forms send it for a field that was left empty, counts as not sent where a customer, product, booking, order, work item or member of a list of settings is made, and where an invoice is sent; as null where one of them is changed. Elsewhere it is refused.

An e-mail address is of ASCII characters before the \`@\`. Its host may be of any script; it is stored and answered in its ASCII form (\`xn--\`).

## Lists

Lists give \`limit\` records (1 to 100, by default 25) and \`paging\`: while \`has_more\` is true, send \`next_cursor\` as \`cursor\`, with the same filters. Cursors are opaque and have no time limit. On 422 \`invalid_cursor\`, such as after the operator changed the master key, begin again without a cursor.

## Rate limits

A secret key may make 600 calls in any 60 seconds, or what is set for it; a publishable key 120 for each visitor who sends the token of \`/start\` as \`X-Visitor\`, and 120 for all others of an address (IPv4, or the /64 of IPv6). An address with all its visitors makes 1,200, as does an IPv6 /56; all visitors together 6,000, of which each address or /48 uses at most as many as are left: who took most is refused first. \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` (seconds) say where the key stands. Beyond the limit the answer is 429 with \`Retry-After\`.

## Errors

Every error has one shape, with the names of RFC 9457 (\`application/problem+json\` where \`Accept\` names it). Look at \`code\`: it is stable, while \`message\` is help for people and may change. \`errors\` names each refused field, at most 20; where there are more, \`error_count\` says how many. Every reply has an \`X-Request-Id\`; quote it when you ask for help.

## Webhooks

Events report what became of a company's records. They are listed at \`GET /settings/{company}/events\`, and posted to the company's event endpoints: the section Webhooks has what is sent for each type. The signature is that of [Standard Webhooks](https://www.standardwebhooks.com), whose libraries check it with the endpoint's secret, over the body's bytes as they came. Answer with 2xx within 15 seconds, and work afterwards. An event may come more than once, with the same \`webhook-id\`, and in any order: of one record the higher \`sequence\` is the later.

## Versions

Within a version, members, parameters and codes are only added, so ignore what you do not know.`;

export type Bytes = Uint8Array<ArrayBuffer>;
export type Body = { body: string | Bytes; type?: string };
export const bytes = (text: string): Bytes => Uint8Array.from(Buffer.from(text));
const latin = (text: string): Bytes => Uint8Array.from(text, (character) => character.charCodeAt(0));
export const JSON_TYPE = "application/json";
const DEEP = 10_000;

/** What is no JSON. */
export const GARBAGE: Record<string, Body> = {
  "a word": { body: "nonsense" },
  "a cut-off object": { body: '{"name":"Meera' },
  "two values": { body: "{}{}" },
  "bytes that are no UTF-8": { body: latin('{"name":"\xff\xfe\xc0"}') },
  "UTF-16": { body: bytes([...'{"name":"Meera"}'].join("\0")) },
  "a NUL between the members": { body: '{"name":"Meera",\0"state":"Karnataka"}' },
  "a bare NUL in a text": { body: '{"name":"Me\0era"}' },
  "a form in place of JSON": { body: "name=Meera&state=Karnataka" },
};

/** What is JSON and nothing that any operation asks for. */
export const STRANGE: Record<string, Body> = {
  "10,000 levels of arrays": { body: `{"name":${"[".repeat(DEEP)}${"]".repeat(DEEP)}}` },
  "10,000 levels of objects": { body: `${'{"a":'.repeat(DEEP)}1${"}".repeat(DEEP)}` },
  "10,000 bare arrays": { body: "[".repeat(DEEP) + "]".repeat(DEEP) },
  "a lone surrogate": { body: '{"name":"\\ud800","event":"\\udc00","id":"\\ud800"}' },
  "an escaped NUL": { body: '{"name":"\\u0000","event":"\\u0000","id":"\\u0000","type":"\\u0000"}' },
  "a member named __proto__": { body: '{"__proto__":{"name":"Meera"},"name":"Meera"}' },
  "a member named constructor": { body: '{"constructor":{"prototype":{"name":"Meera"}}}' },
  "a member twice": { body: '{"name":"Meera","name":5,"name":null,"event":1,"event":"payment.captured"}' },
  "an array": { body: "[]" },
  null: { body: "null" },
  "a text": { body: '"Meera"' },
  "a number beyond all": { body: '{"name":1e999,"created_at":1e999}' },
  "members of every wrong kind": { body: '{"name":{},"event":[],"id":{},"type":[],"data":7,"payload":[[]]}' },
  "another content type": { body: '{"name":"Meera"}', type: "text/plain" },
  "an unknown charset": { body: '{"name":"Meera"}', type: "application/json; charset=utf-16" },
  "a content type that is none": { body: '{"name":"Meera"}', type: ";;;" },
  "a form without a boundary": { body: "--x\r\n", type: "multipart/form-data" },
};

export const ALL = { ...GARBAGE, ...STRANGE };

/** Forms that no browser sends, with the boundary `x`, beside those that test/soak/requests.test.ts sends. */
export const FORMS: Record<string, string | Bytes> = {
  "no UTF-8 in a name": latin('--x\r\nContent-Disposition: form-data; name="\xff\xfe"\r\n\r\nMeera\r\n--x--'),
  "a NUL in a field": '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nMe\0era\r\n--x--',
  "a NUL in a name": '--x\r\nContent-Disposition: form-data; name="na\0me"\r\n\r\nMeera\r\n--x--',
  "one name many times": `${'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nMeera\r\n'.repeat(60)}--x--`,
  "a file where a text belongs":
    '--x\r\nContent-Disposition: form-data; name="name"; filename="a.pdf"\r\n\r\n%PDF-\r\n--x--',
  "JSON within": '--x\r\nContent-Disposition: form-data; name="payload"\r\n\r\n{"a":\r\n--x--',
};

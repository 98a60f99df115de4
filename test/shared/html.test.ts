import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanHtml, htmlToText } from "#shared/html/clean-html.ts";
import samples from "../vectors/html-sanitiser.json" with { type: "json" };

const { vectors, keep } = samples;

const clean = (html: string) => cleanHtml(html, { styles: true });
const REL = ' rel="noopener noreferrer"';

/** Each tag of cleaned HTML with its attributes; throws where a `<` opens no whole tag. */
function tagsOf(html: string) {
  const pattern = /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+="[^"<>]*")*)>/g;
  expect(html.replace(pattern, ""), html).not.toMatch(/[<>]/);
  return [...html.matchAll(pattern)].map(([, , tag = "", attributes = ""]) => ({
    tag,
    attributes: [...attributes.matchAll(/ ([a-z-]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => ({
      name,
      value,
    })),
  }));
}

function expectHarmless(html: string) {
  for (const { tag, attributes } of tagsOf(html)) {
    expect([
      "script",
      "iframe",
      "form",
      "input",
      "svg",
      "math",
      "style",
      "base",
      "link",
      "meta",
    ]).not.toContain(tag);
    for (const { name, value } of attributes) {
      expect(name).not.toMatch(/^on/);
      if (name !== "href" && name !== "src") continue;
      const address = value
        .replace(/&#x?0*(?:9|a|1|3a|58);?|&colon;|&tab;|&newline;/gi, (entity) =>
          /3a|58|colon/i.test(entity) ? ":" : "",
        )
        .replace(/[\s\p{Cc}]/gu, "");
      expect(address).not.toMatch(/^(?:javascript|data|vbscript|file):|^[/\\]{2}/i);
    }
  }
}

describe("HTML that others wrote", () => {
  it.each([...vectors, ...keep])(
    "keeps nothing that runs, and cleaning twice changes nothing: %s",
    async (html) => {
      const once = await clean(html);
      expectHarmless(once);
      expect(await clean(once)).toBe(once);
    },
  );

  it.each(keep)("stays as it is, save that a link that opens a page gets its rel: %s", async (html) => {
    expect((await clean(html)).replace(REL, "")).toBe(html);
  });

  it.each([
    ["<p>one<p>two", "<p>one</p><p>two</p>"],
    ["a < b and c > d", "a &lt; b and c &gt; d"],
    ["I <3 it", "I &lt;3 it"],
    ["<b>unclosed <i>twice", "<b>unclosed <i>twice</i></b>"],
    ["</div>stray</p>", "stray"],
    ["<select><option>one<option>two</select>after", "after"],
    ["<script>if (a < b) x('</p>')</script>after", "after"],
    ["<br/><hr /><div/>x", "<br><hr><div>x</div>"],
    [
      '<a href="https://a.b" rel="opener" target="_blank">x</a>',
      `<a href="https://a.b" target="_blank"${REL}>x</a>`,
    ],
    ['<a href="/jobs?a=1&amp;b=2#top">x</a>', '<a href="/jobs?a=1&amp;b=2#top">x</a>'],
    ['<a href="tel:+919812345678">x</a>', '<a href="tel:+919812345678">x</a>'],
    ['<p title="a &quot;b&quot; &eacute;">x</p>', '<p title="a &quot;b&quot; &eacute;">x</p>'],
    [
      '<p style="color:red;position:fixed;Margin-Top: 4px">x</p>',
      '<p style="color:red;margin-top:4px">x</p>',
    ],
    ['<a href="sms:+919812345678?body=Hi">x</a>', '<a href="sms:+919812345678?body=Hi">x</a>'],
  ])("becomes well-formed: %s", async (html, expected) => {
    expect(await clean(html)).toBe(expected);
  });

  it.each([
    "background:#06c;color:#fff;padding:12px 24px",
    "background:rgb(0, 102, 204) !important",
    "background:#fafafa none no-repeat center/cover",
    "min-height:40px;overflow:hidden;float:left;opacity:.8;border-top-left-radius:6px",
  ])("keeps the grounds and boxes of mails: %s", async (style) => {
    const button = `<a href="https://pay.example" style="${style}">Pay now</a>`;
    expect(await clean(button)).toBe(button);
  });

  it.each([
    '<a href="//evil.example">x</a>',
    '<a href="upi://pay?pa=other@bank&amp;am=100">x</a>',
    '<a href="/\\evil.example">x</a>',
    '<a href="/&sol;evil.example">x</a>',
    '<a href="java&Tab;script:alert(1)">x</a>',
    '<a href="javascript&colon;alert(1)">x</a>',
    '<a href="&#0000106avascript:alert(1)">x</a>',
    '<a href="\u0001javascript:alert(1)">x</a>',
    "<a href='data:text/html,x'>x</a>",
    '<a href="cid:logo">x</a>',
    '<a href="unknown&entity;x">x</a>',
  ])("drops an address that leads elsewhere than it says: %s", async (html) => {
    expect(await clean(html)).toBe("<a>x</a>");
  });

  it.each([
    "background-color:url(https://a.b/c)",
    "background:#fff url(https://a.b/c)",
    "background:image-set('https://a.b/c' 1x)",
    "background:src('https://a.b/c')",
    "background:var(--a)",
    "background:#06c, #fff",
    "background:rgb(url(https://a.b/c))",
    "color:red\nurl(//a.b)",
    "font-family:expression(alert(1))",
    "width:ur\\6c(x)",
    "color:&#117;rl(//a.b)",
    "position:absolute",
  ])("drops a style that fetches or covers: %s", async (style) => {
    expect(await clean(`<p style="${style}">x</p>`)).toBe("<p>x</p>");
  });

  it("keeps no style at all where none is wanted", async () => {
    expect(await cleanHtml('<p class="a" style="color:red">x</p>', { styles: false })).toBe(
      '<p class="a">x</p>',
    );
  });

  it("keeps at most 100 tags open, and the text of all", async () => {
    const deep = await clean(`${"<div>".repeat(5_000)}x`);
    expect(deep).toBe(`${"<div>".repeat(100)}x${"</div>".repeat(100)}`);
  });

  it("drops a tag too long to be one", async () => {
    expect(await clean(`<p ${"a ".repeat(100_000)}>x</p>`)).toBe("x");
  });

  it("is harmless, well-formed and unchanged by a second cleaning whatever is put together", async () => {
    const piece = fc.oneof(
      fc.constantFrom(...vectors, ...keep),
      fc.constantFrom(
        "<",
        ">",
        '"',
        "'",
        "=",
        "/",
        "<!--",
        "-->",
        "&",
        ";",
        "</",
        "<a href=",
        " style=",
        "<p ",
        "\n",
      ),
      fc.string({ maxLength: 6 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const once = await clean(pieces.join(""));
        expectHarmless(once);
        expect(await clean(once)).toBe(once);
      }),
      { numRuns: 1_000 },
    );
  });
});

it("HTML's text has a line per block, list items with dashes and addresses in brackets", () => {
  const html =
    '<h2>Welder</h2><p>Work with <b>us</b> &amp; learn.<br>Pune &ndash; &#8377;500</p><ul><li>one</li><li>two</li></ul><p><a href="https://a.b/c">Apply</a> &lt;now&gt;</p>';
  expect(htmlToText(html)).toBe(
    "Welder\nWork with us & learn.\nPune – ₹500\n\n- one\n- two\nApply (https://a.b/c) <now>",
  );
});

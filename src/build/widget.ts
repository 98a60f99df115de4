import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type Plugin, transform } from "esbuild";

const cssAsText: Plugin = {
  name: "css-as-text",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, "utf8"), { loader: "css", minify: true });
      return { contents: code, loader: "text" };
    }),
};

const WIDGET = join(import.meta.dirname, "../widget");

/** Bundles the booking widget into one file for each language, which pages of any site load: English, and `.hi` Hindi. */
export async function buildWidget(folder: string): Promise<void> {
  await Promise.all([
    bundle(join(folder, "booking-widget.js"), [cssAsText]),
    bundle(join(folder, "booking-widget.hi.js"), [cssAsText, inLanguage("hi")]),
  ]);
}

/** Takes the texts of `<language>.ts` in place of the English ones. */
const inLanguage = (language: string): Plugin => ({
  name: "in-language",
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/strings\.ts$/ }, () => ({ path: join(WIDGET, `${language}.ts`) })),
});

async function bundle(outfile: string, plugins: Plugin[]): Promise<void> {
  await build({
    entryPoints: [join(WIDGET, "booking-widget.ts")],
    outfile,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2023",
    charset: "utf8",
    plugins,
  });
}

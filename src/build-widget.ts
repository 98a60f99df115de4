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

/** Bundles the booking widget into one file, which pages of any site load. */
export async function buildWidget(file: string): Promise<void> {
  await build({
    entryPoints: [join(import.meta.dirname, "widget/booking-widget.ts")],
    outfile: file,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2023",
    plugins: [cssAsText],
  });
}

import type { ServerResponse } from "node:http";

/** One white point. */
export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=";

const png = Buffer.from(PNG, "base64");
const IMAGES: Record<string, Buffer> = {
  "logo.png": png,
  "photo.jpg": Buffer.from("ffd8ffe000104a464946", "hex"),
  "logo.webp": Buffer.concat([Buffer.from("RIFF\x1a\0\0\0WEBPVP8L"), Buffer.alloc(14)]),
  "drawing.svg": Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  // A type that is claimed counts for nothing.
  "page.png": Buffer.from("<!DOCTYPE html><title>Not found</title>"),
  "empty.png": Buffer.alloc(0),
  "most.png": Buffer.concat([png, Buffer.alloc(200 * 1024 - png.length)]),
  "large.png": Buffer.concat([png, Buffer.alloc(300 * 1024)]),
};

/** Answers for any host that has images: by the last part of the path. */
export function answerImage(path: string, response: ServerResponse): void {
  const name = path.split("/").at(-1) ?? "";
  const image = IMAGES[name];
  if (name === "moved.png") response.writeHead(302, { Location: "logo.png" }).end();
  else if (image === undefined) response.writeHead(404, { "Content-Type": "image/png" }).end(png);
  else response.writeHead(200, { "Content-Type": "image/png" }).end(image);
}

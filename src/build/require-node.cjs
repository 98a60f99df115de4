// Of what needs the database server too, beside a Node of the right release.
"use strict";

if (process.platform === "win32") {
  process.stderr.write("The database server has no Windows binary: run this in WSL.\n");
  process.exit(1);
}
require("./node-release.cjs");

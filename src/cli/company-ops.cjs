#!/usr/bin/env node
// Plain JavaScript of any age: an older Node cannot even read the command line itself, and this file says so.
"use strict";

require("../build/node-release.cjs");

// What is written into a file or another program has no colours.
if (!process.stdout.isTTY || !process.stderr.isTTY) process.env.NO_COLOR = "1";
void import("./main.ts");

#!/usr/bin/env node
/** `lacuna`: the command line. */
import { runCli } from './run-cli.js';

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  print: (text) => void process.stdout.write(text),
  printBytes: (bytes) => void process.stdout.write(bytes),
  say: (line) => void process.stderr.write(`${line}\n`),
  hasColour: process.stdout.isTTY === true && !process.env['NO_COLOR'],
});

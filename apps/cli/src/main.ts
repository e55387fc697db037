#!/usr/bin/env node
/** `lacuna`: the command line. */
import { runCli } from './run-cli.js';

// Whoever read our output has gone (`| head`): the command still ends with its own exit code, which says what was found.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  print: (text) => void process.stdout.write(text),
  printBytes: (bytes) => void process.stdout.write(bytes),
  say: (line) => void process.stderr.write(`${line}\n`),
  hasColour: process.stdout.isTTY === true && !process.env['NO_COLOR'],
});

#!/usr/bin/env node
import { runSampleProgram } from './sample-program.js';

process.exitCode = await runSampleProgram(process.argv.slice(2), {
  print: (text) => void process.stdout.write(text),
  say: (line) => void process.stderr.write(`${line}\n`),
});

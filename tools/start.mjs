import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, setUp, SetUpError } from './setup.mjs';

/** `npm start -- [options]`: set-up, then every service of Lacuna in this process. Ctrl-C stops it with exit code 0. */
const HELP = `npm start [-- options]

Installs what is missing, builds, and runs all services in one process with a PostgreSQL of its own.
Ctrl-C stops it. Its options, which the built program lists here, are those of apps/embedded.
`;

const asksForHelp = process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h');
const main = join(root, 'apps', 'embedded', 'dist', 'main.js');
if (asksForHelp) {
  console.log(HELP);
  if (!existsSync(main)) process.exit(0);
}

try {
  if (!asksForHelp) await setUp();
} catch (error) {
  if (!(error instanceof SetUpError)) throw error;
  console.error(error.message);
  process.exit(1);
}

process.argv[1] = main;
stopCleanly();
await import(pathToFileURL(main).href);

/** The program closes itself on a signal; where it has nothing to close yet, this ends it. Either way being asked to stop is no failure. */
function stopCleanly() {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.on(signal, () => {
      process.once('exit', (code) => {
        if (code === 130 || code === 143) process.exitCode = 0;
      });
      if (process.listenerCount(signal) === 1) process.exit(0);
    });
  }
}

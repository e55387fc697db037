import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { walk } from './walk.mjs';

const FORBIDDEN_FOLDERS = new Set(['utils', 'common', 'shared']);
const LINES_MAX = 400;
/** One closed table in one file, by design: it grows by entries, not by ideas. */
const ONE_TABLE = new Set(['libs/evidence/src/catalogue.ts']);

/**
 * A folder named for nothing holds anything; a file that is too long holds more than one idea.
 * @param {string} root
 * @returns {string[]} one line for each breach
 */
export function layoutBreaches(root) {
  return ['apps', 'libs', 'tools', 'e2e']
    .flatMap((folder) => walk(root, folder))
    .flatMap(({ path, isFolder }) => {
      if (isFolder) return FORBIDDEN_FOLDERS.has(basename(path)) ? [`${path}: name it after what it holds`] : [];
      if (!isSource(path) || ONE_TABLE.has(path)) return [];
      const lines = readFileSync(join(root, path), 'utf8').trimEnd().split('\n').length;
      return lines > LINES_MAX ? [`${path}: ${lines} lines, and ${LINES_MAX} at most: split it by idea`] : [];
    });
}

/** @param {string} path */
function isSource(path) {
  return /^(apps|libs)\/.+\.tsx?$/.test(path) && !/^(apps|libs)\/[^/]+\/test\//.test(path);
}

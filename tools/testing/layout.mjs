import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

const FORBIDDEN_FOLDERS = new Set(['utils', 'common', 'shared']);
const LINES_MAX = 400;
const NOT_OURS = new Set(['node_modules', 'dist', 'coverage', '.git', '.nx', '.lacuna']);

/**
 * A folder named for nothing holds anything; a file that is too long holds more than one idea.
 * @param {string} root
 * @returns {string[]} one line for each breach
 */
export function layoutBreaches(root) {
  return ['apps', 'libs', 'tools', 'e2e']
    .flatMap((top) => walk(join(root, top)))
    .flatMap((entry) => {
      const path = relative(root, entry.path).replaceAll('\\', '/');
      if (entry.isFolder) return FORBIDDEN_FOLDERS.has(basename(path)) ? [`${path}: name it after what it holds`] : [];
      if (!isSource(path)) return [];
      const lines = readFileSync(entry.path, 'utf8').trimEnd().split('\n').length;
      return lines > LINES_MAX ? [`${path}: ${lines} lines, and ${LINES_MAX} at most: split it by idea`] : [];
    });
}

/** @param {string} path */
function isSource(path) {
  return /^(apps|libs)\/[^/]+\/(.*\/)?[^/]+\.tsx?$/.test(path) && !/^(apps|libs)\/[^/]+\/test\//.test(path);
}

/** @param {string} folder @returns {{ path: string, isFolder: boolean }[]} */
function walk(folder) {
  return entries(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (NOT_OURS.has(entry.name)) return [];
    return entry.isDirectory() ? [{ path, isFolder: true }, ...walk(path)] : [{ path, isFolder: false }];
  });
}

/** @param {string} folder */
function entries(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

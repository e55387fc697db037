import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const NOT_OURS = new Set(['node_modules', 'dist', 'coverage', '.git', '.nx', '.lacuna']);

/**
 * All that is ours in a folder of the checkout, as paths from there with `/`.
 * @param {string} root
 * @param {string} folder
 * @returns {{ path: string, isFolder: boolean }[]}
 */
export function walk(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.has(entry.name)) return [];
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? [{ path, isFolder: true }, ...walk(root, path)] : [{ path, isFolder: false }];
  });
}

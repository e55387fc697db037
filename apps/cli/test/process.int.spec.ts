/** The built program, in a process of its own. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const env = { PATH: process.env['PATH'] };

describe('the program', () => {
  it('ends with its own exit code when nobody reads on; fails when `| head` turns a failure into success', () => {
    const script = `{ "$0" "$1" --help; echo "$?" >&2; } | true; { "$0" "$1" asks; echo "$?" >&2; } 2>&1 | tail -n 1`;
    const { stdout, stderr } = spawnSync('sh', ['-c', script, process.execPath, program], { env, encoding: 'utf8' });
    expect(stderr).toBe('0\n');
    expect(stdout).toBe('2\n');
  });

  it('imports only commander before a command is chosen; fails when every command waits for Nest and the database driver', () => {
    const [seen, queue] = [new Set<string>(), [new URL('../src/main.ts', import.meta.url)]];
    const packages = new Set<string>();
    for (let file = queue.pop(); file && seen.size < 50; file = queue.pop()) {
      seen.add(file.href);
      for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/^import (?!type)[^;]*?from '([^']+)';/gm)) {
        if (name.startsWith('.')) queue.push(new URL(name.replace(/\.js$/, '.ts'), file));
        else packages.add(name);
      }
    }
    expect([...packages]).toEqual(['commander']);
  });
});

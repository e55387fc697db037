/** `npm start` from a plain clone, as a user who is not root, with a PATH of only node, npm, git and sh. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const started = /Lacuna answers on (http:\/\/127\.0\.0\.1:\d+)/;
const UP_WITHIN_MS = 420_000;
/** `nobody` on Debian, when we are root. */
const NOBODY = 65_534;

describe('npm start from a plain clone', () => {
  const isRoot = process.getuid?.() === 0;
  let room: string;
  let clone: string;
  let apiKey: string;
  const children: ChildProcess[] = [];

  beforeAll(() => {
    room = realpathSync(mkdtempSync(join(tmpdir(), 'lacuna-clone-')));
    clone = join(room, 'a clone');
    execFileSync('git', ['clone', '-q', checkout, clone]);
    mkdirSync(join(room, 'home'));
    layPath(join(room, 'bin'));
    if (isRoot) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, room]);
    if (isRoot) chownSync(room, NOBODY, NOBODY);
  });
  afterAll(() => {
    for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
    rmSync(room, { recursive: true, force: true });
  });

  const start = (...options: string[]) => {
    const child = spawn('npm', ['start', '--', '--port', '0', ...options], {
      cwd: clone,
      env: { PATH: join(room, 'bin'), HOME: join(room, 'home'), npm_config_cache: join(room, 'home', 'cache'), ...registryOf() },
      detached: true,
      ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
    });
    children.push(child);
    return { child, ...outputOf(child) };
  };

  it('sets everything up, shows the demonstrations, and answers', async () => {
    // Fails when a step needs a tool that the machine does not have, root, or a file that is not committed.
    const run = start();
    const url = await run.until(started);
    expect(run.text()).toContain('all five demonstrations show what they should.');
    apiKey = /API key .*: (lk_[\w-]+)/.exec(run.text())?.[1] ?? '';
    const answer = await fetch(`${url}/v1/registers`, { headers: { authorization: `Bearer ${apiKey}` } });
    expect(answer.status).toBe(200);
    expect((await fetch(`${url}/v1/registers`)).status).toBe(401);
    expect(await run.interrupt()).toBe(0);
  });

  it('still has the decisions after Ctrl-C and a second start', async () => {
    // Fails when data or the key is lost, or when anything is printed or installed twice.
    const run = start('--no-demo');
    const url = await run.until(started);
    expect(run.text()).toMatch(/earlier decisions[^\n]*\n(?:.*\n)*.*match-review/);
    expect(run.text()).toContain('dependencies: up to date');
    expect(run.text()).not.toContain('lk_');
    const answer = await fetch(`${url}/v1/questions`, { headers: { authorization: `Bearer ${apiKey}` } });
    const { items } = (await answer.json()) as { items: { verdict: string }[] };
    expect(items.length).toBeGreaterThanOrEqual(6);
    expect(await run.interrupt()).toBe(0);
  });
});

/** A folder with links to just these programs. */
function layPath(folder: string): void {
  mkdirSync(folder);
  for (const name of ['node', 'npm', 'git', 'sh']) {
    const found = (process.env['PATH'] ?? '')
      .split(':')
      .map((part) => join(part, name))
      .find((file) => existsSync(file));
    if (!found) throw new Error(`${name} is not on the PATH`);
    symlinkSync(name === 'node' ? process.execPath : found, join(folder, name));
  }
}

/** Where npm gets packages from is this machine's business. */
function registryOf(): Record<string, string> {
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { cwd: dirname(checkout), encoding: 'utf8' }).trim();
  return { npm_config_registry: registry };
}

function outputOf(child: ChildProcess) {
  let text = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      for (const listener of listeners) listener();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  return {
    text: () => text,
    /** The first group of the pattern, once it was printed. */
    until: (pattern: RegExp) =>
      new Promise<string>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`not printed within ${UP_WITHIN_MS} ms: ${text}`)), UP_WITHIN_MS);
        const look = () => {
          const found = pattern.exec(text)?.[1];
          if (found === undefined) return;
          clearTimeout(timer);
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        void ended.then((code) => reject(new Error(`ended with ${code}: ${text}`)));
        look();
      }),
    /** Ctrl-C: the whole foreground group gets it, as at a terminal. */
    interrupt: () => {
      process.kill(-(child.pid ?? 0), 'SIGINT');
      return ended;
    },
  };
}

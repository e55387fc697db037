/** The program that issues keys, as an operator runs it: built, in a process of its own. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freshDatabase } from '@lacuna/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type RunningGateway } from './running-gateway.js';

const program = fileURLToPath(new URL('../dist/issue-key.js', import.meta.url));

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway?.stop());

function issueKey(args: readonly string[], url: string) {
  const env = { PATH: process.env['PATH'], LACUNA_DATABASE_URL: url };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { env, encoding: 'utf8', timeout: 60_000 });
  return { status, out: stdout, err: stderr };
}

const asker = ['--tenant', 't1', '--principal', 'eve', '--roles', 'asker, reviewer'];

describe('issue-key', () => {
  it('prints a key that the gateway takes, and nothing else; fails when a script cannot use its output', async () => {
    const { status, out, err } = issueKey(asker, gateway.fresh.url);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toMatch(/^lk_[\w-]{43}\n$/);
    const authorization = `Bearer ${out.trim()}`;
    await gateway.api.get('/v1/questions').set('Authorization', authorization).expect(200);
  });

  it.each([
    ['no roles', ['--tenant', 't1', '--principal', 'eve'], /--roles are needed/],
    ['an unknown role', ['--tenant', 't1', '--principal', 'eve', '--roles', 'emperor'], /roles are asker, reviewer/],
    ['a tenant that is none', ['--tenant', 'T 1', '--principal', 'eve', '--roles', 'asker'], /lower-case letters/],
  ])('refuses %s in one line', (_, args, reason) => {
    const { status, out, err } = issueKey(args, gateway.fresh.url);
    expect({ status, out, lines: err.trimEnd().split('\n').length }).toEqual({ status: 1, out: '', lines: 1 });
    expect(err).toMatch(reason);
  });

  it('says that the gateway must have started on the database first', async () => {
    const fresh = await freshDatabase();
    expect(issueKey(asker, fresh.url)).toEqual({ status: 1, out: '', err: expect.stringContaining('start the gateway on it first') });
    await fresh.drop();
  });
});

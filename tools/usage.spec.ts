import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const run = (tool: string, args: string[], env: Record<string, string> = {}) => {
  const file = fileURLToPath(new URL(tool, import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [file, ...args], { encoding: 'utf8', env: { PATH: process.env.PATH, ...env } });
  return { status, stderr };
};

it.each([
  ['cluster.mjs', ['--nothing'], /^cluster: Unknown option '--nothing'/],
  ['cluster.mjs', ['--port', 'eighty'], /^cluster: --port must be a whole number from 0 to 65535\n$/],
  ['cluster.mjs', ['--registers', '/no/such/folder'], /^cluster: \/no\/such\/folder is no folder of register files/],
  ['sample.mjs', ['--nothing'], /^sample: Unknown option '--nothing'/],
  ['sample.mjs', ['--count', 'many'], /^sample: --count must be a whole number\n$/],
])('%s %j ends with 2 before anything is started; fails when it is a stack, or another code', (tool, args, reason) => {
  const { status, stderr } = run(tool, args);
  expect(stderr).toMatch(reason);
  expect(status).toBe(2);
});

it('the cluster takes LACUNA_REGISTERS; fails when the variable is ignored', () => {
  expect(run('cluster.mjs', [], { LACUNA_REGISTERS: '/of/nobody' })).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('/of/nobody'),
  });
});

import { describe, expect, it } from 'vitest';
import { configKeys } from '@lacuna/runtime';
import { runLacuna } from './run-lacuna.js';

describe('lacuna', () => {
  it('says its exit codes in its help; fails when a script must guess them', async () => {
    const { exitCode, out } = await runLacuna(['--help']);
    expect(exitCode).toBe(0);
    for (const line of ['0   done', '1   failure', '2   wrong usage', '10  ask: match-review', '11  ask: evidence-hold', '12  ask: still'])
      expect(out).toContain(line);
  });

  it.each([
    ['an unknown command', ['asks']],
    ['an unknown command that asks for help', ['caes', '--help']],
    ['an unknown subcommand that asks for help', ['dlq', 'lst', '--help']],
    ['help on an unknown command', ['help', 'caes']],
    ['a decision that is none', ['decide', 'case_1', 'maybe']],
    ['a decision on no case', ['decide']],
    ['no case', ['case']],
    ['a missing register', ['ask']],
    ['no identifier', ['ask', 'r']],
    ['a wait that is too long', ['ask', 'r', 'a=1', '--wait', '61']],
    ['a wait that is no number', ['ask', 'r', 'a=1', '--wait', '1e1']],
    ['a key as an argument', ['ask', 'r', 'a=1', '--api-key', 'lk_x']],
    ['an unknown provenance', ['ask', 'r', 'a=1', '--provenance', 'rumour']],
    ['an identifier that is none', ['ask', 'r', 'account']],
    ['two forms of a receipt at once', ['receipt', 'rcp_1', '--json', '--envelope']],
    ['no partition', ['topics', 'apply', '--partitions', '0']],
    ['no letter to show', ['dlq', 'list', '--newest', '0']],
  ])('exits with 2 for %s', async (_, args) => {
    const { exitCode, err, out } = await runLacuna(args, { LACUNA_API_KEY: 'lk_x' });
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
    expect(err).not.toBe('');
  });

  it.each([[['help']], [['ask', '--help']], [['dlq', '--help']], [['help', 'decide']], [['--url', 'http://x', '--help']]])(
    'prints help for %j; fails when help that exists is refused as an unknown command',
    async (args) => {
      const { exitCode, out } = await runLacuna(args);
      expect(exitCode).toBe(0);
      expect(out).toContain('Usage: lacuna');
    },
  );

  it('prints every configuration key', async () => {
    const { exitCode, out } = await runLacuna(['config']);
    expect(exitCode).toBe(0);
    for (const { name } of Object.values(configKeys)) expect(out).toContain(name);
  });

  it('says which broker to name before it makes topics', async () => {
    expect(await runLacuna(['topics', 'apply'])).toEqual({
      exitCode: 1,
      out: '',
      err: expect.stringContaining('LACUNA_KAFKA_BROKERS=host:port'),
    });
  });
});

import { CommanderError } from 'commander';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { optionsOf } from './options.js';
import { registersFolder } from './registers-folder.js';

describe('the options of npm start', () => {
  let said = '';
  beforeEach(() => {
    said = '';
    for (const stream of [process.stdout, process.stderr])
      vi.spyOn(stream, 'write').mockImplementation((text) => ((said += String(text)), true));
  });
  afterEach(() => vi.restoreAllMocks());

  const exitCodeOf = (...args: string[]) => {
    try {
      optionsOf(args, {});
    } catch (error) {
      return error instanceof CommanderError ? error.exitCode : error;
    }
    return 'none';
  };

  it.each([
    [['--log-level', 'loud'], /--log-level.*Allowed choices are fatal, error, warn, info/],
    [['--port', '70000'], /--port/],
    [['--registers', '/no/such/folder'], /\/no\/such\/folder is no folder/],
    [['--nothing'], /unknown option/],
    [['nothing'], /too many arguments/],
  ])('end %j with 2 and a reason; fails when a wrong one is found after PostgreSQL was started', (args, reason) => {
    expect(exitCodeOf(...args)).toBe(2);
    expect(said).toMatch(reason);
  });

  it('end --help with 0, and list the levels', () => {
    expect(exitCodeOf('--help')).toBe(0);
    expect(said.replaceAll(/\s+/g, ' ')).toContain('choices: "fatal", "error", "warn", "info", "debug", "trace", "silent"');
  });

  it('have defaults', () => {
    expect(optionsOf([], {})).toMatchObject({ port: 8080, registers: registersFolder, demo: true, logLevel: 'warn', newKey: false });
    expect(optionsOf(['--new-key'], {}).newKey).toBe(true);
  });
});

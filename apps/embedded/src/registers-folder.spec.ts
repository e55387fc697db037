import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  assertIsFolder,
  chosenRegisters,
  egressAllow,
  missingReferenceLines,
  registersFolder,
  registersIn,
  sourceVariablesOf,
} from './registers-folder.js';

const example = readFileSync(join(registersFolder, 'service-requests-http.yaml'), 'utf8');
const folderWith = (text: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'lacuna-registers-'));
  writeFileSync(join(folder, 'noenv.yaml'), text);
  return folder;
};

describe('the folder of registers', () => {
  it('is the option, else LACUNA_REGISTERS, else the examples; fails when what a user sets is ignored', () => {
    const env = { LACUNA_REGISTERS: '/of/the/variable' };
    expect(chosenRegisters('/of/the/option', env)).toBe('/of/the/option');
    expect(chosenRegisters(undefined, env)).toBe('/of/the/variable');
    expect(chosenRegisters(undefined, { LACUNA_REGISTERS: '' })).toBe(registersFolder);
  });

  it('is refused in one line when it is none; fails when services are started before that', () => {
    expect(() => assertIsFolder('/no/such/folder')).toThrow(/^\/no\/such\/folder is no folder of register files: .*--registers/);
    expect(() => assertIsFolder(registersFolder)).not.toThrow();
  });

  it('tells each reference that leads to nothing, once; fails when a forgotten variable only shows as an outage', () => {
    const text = example
      .replace('LACUNA_SOURCE_SAMPLE_URL', 'MY_MISSING_URL')
      .replace(
        '      request: { path',
        '      auth: { kind: api-key, name: x-key, value: { file: /no/such/token } }\n' +
          '      request: { headers: { x-url: { secret: { env: MY_MISSING_URL } } }, path',
      );
    const folder = folderWith(text);
    const registers = registersIn(folder);
    expect(missingReferenceLines(registers, {})).toEqual([
      `warning: ${folder}/noenv.yaml: MY_MISSING_URL is not set: its source can only be unavailable`,
      `warning: ${folder}/noenv.yaml: /no/such/token cannot be read, or is empty: its source can only be unavailable`,
    ]);
    const token = join(folder, 'url');
    writeFileSync(token, 'http://x');
    expect(missingReferenceLines(registers, { MY_MISSING_URL_FILE: token })).toHaveLength(1);
  });

  it('says nothing of a register that gateway refuses anyway, nor of the examples with their own variables', () => {
    expect(registersIn(folderWith('name: [')).length).toBe(0);
    const env = { LACUNA_SOURCE_SAMPLE_DATABASE_URL: 'postgres://x', LACUNA_SOURCE_SAMPLE_URL: 'http://x' };
    expect(missingReferenceLines(registersIn(registersFolder), env)).toEqual([]);
  });
});

describe("the user's environment", () => {
  it('reaches the services for sources only; fails when a register of one’s own has no address, or a service gets all variables', () => {
    const registers = registersIn(folderWith(example.replace('LACUNA_SOURCE_SAMPLE_URL', 'MY_URL')));
    const env = { MY_URL: 'a', MY_URL_FILE: 'b', LACUNA_SOURCE_OTHER: 'c', LACUNA_DATABASE_URL: 'd', AWS_SECRET: 'e' };
    expect(sourceVariablesOf(registers, env)).toEqual({ MY_URL: 'a', MY_URL_FILE: 'b', LACUNA_SOURCE_OTHER: 'c' });
  });

  it('adds to the hosts that may be called; fails when it replaces them or is dropped', () => {
    expect(egressAllow(['127.0.0.1:1'], { LACUNA_EGRESS_ALLOW: '10.0.0.1:80,10.0.0.2:80' })).toBe('127.0.0.1:1,10.0.0.1:80,10.0.0.2:80');
    expect(egressAllow(['127.0.0.1:1'], {})).toBe('127.0.0.1:1');
  });
});

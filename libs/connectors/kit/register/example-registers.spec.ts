import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseRegisterFile } from './parse-register-file.js';

const folder = new URL('../../../../registers/', import.meta.url);

describe('the example registers', () => {
  // Fails if a change of the schema or of the core's rules refuses an example that people start from.
  it.each(readdirSync(folder).filter((name) => name.endsWith('.yaml')))('%s is accepted', (name) => {
    const parsed = parseRegisterFile(readFileSync(new URL(name, folder), 'utf8'), name);
    expect(parsed.ok ? [] : parsed.problems).toEqual([]);
  });
});

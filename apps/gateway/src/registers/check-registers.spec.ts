import { describe, expect, it } from 'vitest';
import { checkRegisters, problemLine } from './check-registers.js';
import { aRegisterFile } from '../../test/a-register-file.js';

describe('register files', () => {
  it('have one hash for one meaning; fails when a comment or the order of members makes a new version', () => {
    const { registers } = checkRegisters([
      { file: 'a.yaml', text: aRegisterFile({ name: 'one' }) },
      { file: 'b.yaml', text: `# said differently\n${aRegisterFile({ name: 'one' })}` },
    ]);
    expect(registers[0]?.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(registers[1]?.hash).toBe(registers[0]?.hash);
  });

  it('that are bad are listed all, one line each with file, line and reason; fails when a start shows only the first', () => {
    const bad = aRegisterFile({ name: 'one' }).replace('policy: auto', 'policy: sometimes');
    const { problems } = checkRegisters([
      { file: 'a.yaml', text: bad },
      { file: 'b.yaml', text: 'name: [' },
    ]);
    const lines = problems.map(problemLine);
    expect(lines.some((line) => /^a\.yaml:\d+:\d+: .*policy/.test(line))).toBe(true);
    expect(lines.some((line) => /^b\.yaml:\d+:\d+: /.test(line))).toBe(true);
    expect(lines.every((line) => !line.includes('\n'))).toBe(true);
  });

  it('may not give one write target two policies; fails when one record gets two slots', () => {
    const { problems } = checkRegisters([
      { file: 'a.yaml', text: aRegisterFile({ name: 'one', policyId: 'p1' }) },
      { file: 'b.yaml', text: aRegisterFile({ name: 'two', policyId: 'p2' }) },
    ]);
    expect(problems.map(problemLine)).toEqual([
      expect.stringMatching(/^b\.yaml:1:1: \/target: target "service-request" has another key policy in a\.yaml: .*"p1".*not .*"p2"/),
    ]);
  });

  it('may not give one target two ways to normalise a key; fails when a record of one register looks free to the other', () => {
    const loose = aRegisterFile({ name: 'two' }).replace('normalise: [nfkc, case-fold, strip-separators]', 'normalise: [nfkc, case-fold]');
    const { problems } = checkRegisters([
      { file: 'a.yaml', text: aRegisterFile({ name: 'one' }) },
      { file: 'b.yaml', text: loose },
    ]);
    expect(problems.map(({ file, path }) => [file, path])).toEqual([['b.yaml', '/target']]);
  });

  it('may not have one name twice; fails when the order of files decides which is asked', () => {
    const { problems } = checkRegisters([
      { file: 'a.yaml', text: aRegisterFile({ name: 'one' }) },
      { file: 'b.yaml', text: aRegisterFile({ name: 'one', version: '2' }) },
    ]);
    expect(problems.map(problemLine)).toEqual(['b.yaml:1:1: /name: register "one" is also in a.yaml']);
  });
});

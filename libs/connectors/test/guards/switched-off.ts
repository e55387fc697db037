/** The two libraries built anew in a folder of their own, with one guard switched off at a time, and all walk files run by that build. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import type { Edit, Guard } from './guards.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const libs = join(root, 'libs');
const SOURCES: Readonly<Record<string, string>> = { evidence: 'evidence/src', connectors: 'connectors/kit' };
const RUN_MS_MAX = 120_000;
const OUTPUT_BYTES_MAX = 16 * 1_048_576;

/** A walk file that gives something else than it expects. */
export interface FailedWalk {
  readonly file: string;
  readonly verdict: string | null;
  readonly expected: string;
}

const compiled = (text: string): string =>
  ts.transpileModule(text, { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 } }).outputText;

const sourceFiles = (folder: string): readonly string[] =>
  readdirSync(join(libs, folder), { recursive: true, encoding: 'utf8' }).filter((name) => /\.ts$/.test(name) && !name.endsWith('.spec.ts'));

export class SwitchedOff {
  /** `folder` lies within the repository, so that other packages are found. */
  constructor(private readonly folder: string) {
    for (const [name, source] of Object.entries(SOURCES)) this.build(name, source);
    symlinkSync(join(libs, 'connectors/presets'), join(this.packageOf('connectors'), 'presets'));
    writeFileSync(join(folder, 'run.mjs'), RUN);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Null: nothing is switched off. Without `files` all walks are run. @throws where the guard is no longer in its file exactly once */
  async failedWalks(guard: Guard | null, files: readonly string[] = []): Promise<readonly FailedWalk[]> {
    const edits = guard === null ? [] : [guard, ...(guard.also ? [guard.also] : [])];
    const restores = edits.map((edit) => this.switchOff(guard?.name ?? '', edit));
    try {
      const args = [join(this.folder, 'run.mjs'), join(root, 'walks'), ...files];
      const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: RUN_MS_MAX, maxBuffer: OUTPUT_BYTES_MAX });
      return JSON.parse(stdout) as readonly FailedWalk[];
    } finally {
      for (const restore of restores) restore();
    }
  }

  private switchOff(name: string, { file, from, to }: Edit): () => void {
    const text = readFileSync(join(libs, file), 'utf8');
    if (text.split(from).length !== 2) throw new Error(`the guard ${name} stands not exactly once in libs/${file}`);
    const target = this.outputOf(file);
    const before = readFileSync(target, 'utf8');
    writeFileSync(target, compiled(text.replace(from, () => to)));
    return () => writeFileSync(target, before);
  }

  private outputOf(file: string): string {
    const [name, source] = Object.entries(SOURCES).find(([, folder]) => file.startsWith(`${folder}/`)) ?? [];
    if (name === undefined || source === undefined) throw new Error(`${file} belongs to no library that is built here`);
    return join(this.packageOf(name), 'dist', file.slice(source.length + 1).replace(/\.ts$/, '.js'));
  }

  private packageOf(name: string): string {
    return join(this.folder, 'node_modules/@lacuna', name);
  }

  private build(name: string, source: string): void {
    mkdirSync(this.packageOf(name), { recursive: true });
    cpSync(join(libs, name, 'package.json'), join(this.packageOf(name), 'package.json'));
    for (const file of sourceFiles(source)) {
      const target = this.outputOf(`${source}/${file}`);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, compiled(readFileSync(join(libs, source, file), 'utf8')));
    }
  }
}

const RUN = `
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseWalkFile, runWalk } from '@lacuna/connectors/walks';
const [folder, ...named] = process.argv.slice(2);
const files = named.length > 0 ? named : readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml')).sort();
const failed = [];
const lane = async () => {
  for (let file = files.shift(); file !== undefined; file = files.shift()) {
    try {
      const parsed = parseWalkFile(readFileSync(join(folder, file), 'utf8'), file);
      const result = parsed.ok ? await runWalk(parsed.walk) : { passed: false, verdict: 'refused', expected: '' };
      if (!result.passed) failed.push({ file, verdict: result.verdict, expected: result.expected });
    } catch (error) {
      failed.push({ file, verdict: 'threw ' + error, expected: '' });
    }
  }
};
await Promise.all(Array.from({ length: 8 }, lane));
process.stdout.write(JSON.stringify(failed), () => process.exit(0));
`;

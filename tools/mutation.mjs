import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

/** Stryker keeps what came of each mutant here, and does not notice by itself that a spec was added. */
const KEPT = join(root, '.lacuna', 'stryker-incremental.json');

/** What was noticed stays noticed until its file changes; what survived is tried again. */
function forgetSurvivors() {
  if (!existsSync(KEPT)) return;
  /** @type {{ files: Record<string, { mutants: { status: string }[] }> }} */
  const report = JSON.parse(readFileSync(KEPT, 'utf8'));
  for (const file of Object.values(report.files)) {
    file.mutants = file.mutants.filter(({ status }) => status !== 'Survived' && status !== 'NoCoverage');
  }
  writeFileSync(KEPT, JSON.stringify(report));
}

forgetSurvivors();
const stryker = join(root, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
process.exitCode = spawnSync(process.execPath, [stryker, 'run', ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' }).status ?? 1;

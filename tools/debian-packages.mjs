import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const INSTALL_WITHIN_MS = 900_000;

/**
 * Installs packages of Debian's own, as root.
 * @param {string[]} packages
 * @param {(line: string) => void} say
 */
export async function installDebianPackages(packages, say) {
  say(`${packages.join(', ')}: installing with apt-get`);
  const began = performance.now();
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeout: INSTALL_WITHIN_MS, maxBuffer: 50_000_000 };
  const run = promisify(execFile);
  const install = () => run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options);
  try {
    await install().catch(async () => {
      await run('apt-get', ['update', '-qq'], options);
      await install();
    });
  } catch (error) {
    const { stderr, message } = /** @type {Error & { stderr?: string }} */ (error);
    throw new Error(`apt-get could not install ${packages.join(', ')}: ${(stderr || message).trim().split('\n').slice(-3).join(' ')}`, {
      cause: error,
    });
  }
  say(`${packages.join(', ')}: installed in ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

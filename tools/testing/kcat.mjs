import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installDebianPackages } from '../debian-packages.mjs';
import { thisMachine } from '../kafka/find-kafka.mjs';

/**
 * kcat reads the topics as a stranger to our code does. It is installed where that can be done without asking.
 * @param {(line: string) => void} say
 * @returns {Promise<string | undefined>} where it is
 */
export async function findKcat(say) {
  if (!onPath() && thisMachine.canAptInstall()) await installDebianPackages(['kcat'], say).catch((error) => say(error.message));
  return onPath();
}

function onPath() {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'kcat'))
    .find((file) => existsSync(file));
}

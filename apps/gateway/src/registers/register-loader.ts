import { encodeEvent, events } from '@lacuna/events';
import type { EventPublisher, Transaction } from '@lacuna/messaging';
import { StartError } from '@lacuna/runtime';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { checkRegisters, problemLine, type LoadedRegister, type RegisterFile } from './check-registers.js';
import { keepRegister } from './register-table.js';

const FILES_MAX = 200;
const FILE_BYTES_MAX = 1_048_576;

export interface LoadInputs {
  readonly folder: string;
  readonly tenants: readonly string[];
  readonly publisher: EventPublisher;
  readonly now: () => Date;
}

/**
 * Loads every register file of the folder for every tenant and publishes the versions that are new to it.
 * @throws StartError when any file is bad: then none is published.
 */
export async function loadRegisters({ folder, tenants, publisher, now }: LoadInputs): Promise<readonly LoadedRegister[]> {
  const { registers, problems } = checkRegisters(await readFolder(folder));
  if (problems.length > 0) throw new StartError(['the registers are refused:', ...problems.map(problemLine)].join('\n'));
  for (const tenantId of tenants) {
    for (const register of registers) {
      await publisher.record(`register:${tenantId}:${register.name}`, tenantId, (tx) => publishIfNew(tx, tenantId, register, now()));
    }
  }
  return registers;
}

async function publishIfNew(tx: Transaction, tenantId: string, { name, version, hash, body }: LoadedRegister, now: Date) {
  if (!(await keepRegister(tx, tenantId, { name, version, hash, body }, now))) return { events: [], result: undefined };
  const published = { tenantId, registerName: name, version, registerHash: hash, register: { ...body }, at: now.toISOString() };
  return { events: [encodeEvent(events.registerPublished, published, 'gateway')], result: undefined };
}

/** In the order of their names, so that what is said of two files does not depend on the file system. */
async function readFolder(folder: string): Promise<RegisterFile[]> {
  const entries = await readdir(folder).catch(() => {
    throw new StartError(`${folder}: the folder of registers cannot be read: set LACUNA_REGISTERS to one`);
  });
  const names = entries.filter((name) => /\.ya?ml$/.test(name)).sort();
  if (names.length > FILES_MAX) throw new StartError(`${folder}: ${names.length} register files, at most ${FILES_MAX}`);
  return Promise.all(names.map((name) => readOne(join(folder, name))));
}

async function readOne(file: string): Promise<RegisterFile> {
  const { size } = await stat(file);
  if (size > FILE_BYTES_MAX) throw new StartError(`${file}:1:1: ${size} bytes, at most ${FILE_BYTES_MAX}`);
  return { file, text: await readFile(file, 'utf8') };
}

/** The API keys of a composition: the person's, which is printed and kept nowhere, and the demonstrations', which are kept. */
import { readFileSync, writeFileSync } from 'node:fs';
import { issueApiKey } from '@lacuna/gateway';
import { openDatabase, type PostgresDatabase } from '@lacuna/postgres';
import type { DataFolder } from './data-folder.js';

const TENANT = 'default';
export const OWNER_ROLES = ['asker', 'reviewer', 'approver', 'admin'] as const;

export interface Keys {
  /** Two keys of the tenant `default`, for the demonstrations. */
  readonly demonstrationKeys: readonly [string, string];
  /** The key for people: at the first start on this data, and when another is asked for. */
  readonly newApiKey: string | null;
}

export async function openKeys(databaseUrl: string, folder: DataFolder, wantsNewKey: boolean): Promise<Keys> {
  const kept = keptKeys(folder);
  if (kept && !wantsNewKey) return { demonstrationKeys: kept, newApiKey: null };
  const database = await openDatabase({ url: databaseUrl, schema: 'gateway', applicationName: 'lacuna-embedded', poolMax: 1 });
  try {
    const demonstrationKeys = kept ?? (await makeDemonstrationKeys(database));
    const newApiKey = await makeOwnerKey(database);
    // Last: a start that fails before this makes and prints a key again.
    if (!kept) writeFileSync(folder.demonstrationKeysFile, JSON.stringify(demonstrationKeys), { mode: 0o600 });
    return { demonstrationKeys, newApiKey };
  } finally {
    await database.close();
  }
}

export const makeOwnerKey = (database: PostgresDatabase): Promise<string> =>
  issueApiKey(database, { tenantId: TENANT, principal: 'owner', roles: OWNER_ROLES, now: new Date() });

export async function makeDemonstrationKeys(database: PostgresDatabase): Promise<[string, string]> {
  const key = (principal: string) => issueApiKey(database, { tenantId: TENANT, principal, roles: ['asker', 'reviewer'], now: new Date() });
  return [await key('demonstration-one'), await key('demonstration-two')];
}

function keptKeys(folder: DataFolder): [string, string] | null {
  try {
    return JSON.parse(readFileSync(folder.demonstrationKeysFile, 'utf8')) as [string, string];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}

#!/usr/bin/env node
/** Issues one API key and prints it, once: `node apps/gateway/dist/issue-key.js --tenant T --principal P --roles asker,reviewer`. */
import { parseArgs } from 'node:util';
import { openDatabase } from '@lacuna/postgres';
import { loadConfig } from '@lacuna/runtime';
import { issueApiKey, roles, type Role } from './access/api-keys.js';
import { gatewayDefinition } from './gateway.definition.js';

const HELP = `node apps/gateway/dist/issue-key.js --tenant <name> --principal <who> --roles <a,b>

Issues an API key and prints it on standard output. It is shown this once: only its hash is stored.

  --tenant     lower-case letters, digits and hyphens
  --principal  who uses the key; it stands on questions, decisions and receipts
  --roles      of ${roles.join(', ')}

The database is that of LACUNA_DATABASE_URL (or LACUNA_DATABASE_URL_FILE); the gateway must have started on it once.
`;

const UNDEFINED_TABLE = '42P01';

try {
  const asked = readArguments();
  if (asked === null) process.stdout.write(HELP);
  else process.stdout.write(`${await issue(asked)}\n`);
} catch (error) {
  process.stderr.write(`lacuna issue-key: ${lineOf(error)}\n`);
  process.exitCode = 1;
}

function readArguments(): { tenant: string; principal: string; roles: Role[] } | null {
  const option = { type: 'string' } as const;
  const { values } = parseArgs({
    options: { tenant: option, principal: option, roles: option, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) return null;
  const { tenant, principal, roles: list } = values;
  if (!tenant || !principal || !list) throw new Error('--tenant, --principal and --roles are needed (--help)');
  // issueApiKey refuses what is no role.
  return { tenant, principal, roles: list.split(',').map((role) => role.trim()) as Role[] };
}

async function issue({ tenant, principal, roles: granted }: { tenant: string; principal: string; roles: Role[] }): Promise<string> {
  const { databaseUrl } = loadConfig('gateway');
  const { schema } = gatewayDefinition;
  const database = await openDatabase({ url: databaseUrl, schema, applicationName: 'lacuna-issue-key', poolMax: 1 });
  try {
    return await issueApiKey(database, { tenantId: tenant, principal, roles: granted, now: new Date() });
  } finally {
    await database.close();
  }
}

function lineOf(error: unknown): string {
  if ((error as { code?: unknown }).code === UNDEFINED_TABLE) return 'the database has no table of API keys: start the gateway on it first';
  return error instanceof Error ? error.message : String(error);
}

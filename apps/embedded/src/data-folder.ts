/** What survives restarts of the embedded mode, and the secrets that it makes for itself. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface DataFolder {
  readonly postgres: string;
  readonly signingKeyFile: string;
  readonly webhookSecret: string;
  /** Kept readable by its owner only, for the demonstrations of later starts. */
  readonly demonstrationKeysFile: string;
}

export function openDataFolder(folder: string): DataFolder {
  const secrets = join(folder, 'secrets');
  mkdirSync(secrets, { recursive: true, mode: 0o700 });
  return {
    postgres: join(folder, 'postgres'),
    signingKeyFile: join(secrets, 'receipts.pem'),
    webhookSecret: keptSecret(join(secrets, 'webhook'), () => `whsec_${randomBytes(32).toString('base64')}`),
    demonstrationKeysFile: join(secrets, 'demonstration-keys.json'),
  };
}

function keptSecret(file: string, make: () => string): string {
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const secret = make();
  writeFileSync(file, secret, { mode: 0o600 });
  return secret;
}

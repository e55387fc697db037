import type { Register } from '@lacuna/evidence';
import type { Transaction } from '@lacuna/messaging';

export interface RegisterRow {
  readonly name: string;
  readonly hash: string;
  readonly version: string;
  readonly body: Omit<Register, 'hash'>;
  readonly published_at: Date;
}

const newestFirst = `select distinct on (name) name, hash, version, body, published_at from register where tenant_id = $1`;

/** The version of a name that was loaded last: new questions use it. */
export async function newestRegister(tx: Transaction, tenantId: string, name: string): Promise<RegisterRow | null> {
  const [row] = await tx.query<RegisterRow>(`${newestFirst} and name = $2 order by name, loaded_at desc, hash`, [tenantId, name]);
  return row ?? null;
}

/** The newest version of each name, by name. */
export function newestRegisters(tx: Transaction, tenantId: string, rowsMax: number): Promise<RegisterRow[]> {
  return tx.query<RegisterRow>(`${newestFirst} order by name, loaded_at desc, hash limit $2`, [tenantId, rowsMax]);
}

export function registerOf({ body, hash }: RegisterRow): Register {
  return { ...body, hash };
}

/** Keeps a version and makes it its name's newest. Answers whether it was not there before. */
export async function keepRegister(
  tx: Transaction,
  tenantId: string,
  loaded: Omit<RegisterRow, 'published_at'>,
  now: Date,
): Promise<boolean> {
  const { name, hash, version, body } = loaded;
  const inserted = await tx.query(
    `insert into register (tenant_id, name, hash, version, body, published_at, loaded_at) values ($1, $2, $3, $4, $5, $6, $6)
     on conflict do nothing returning 1`,
    [tenantId, name, hash, version, JSON.stringify(body), now],
  );
  if (inserted.length === 1) return true;
  await tx.query('update register set loaded_at = $4 where tenant_id = $1 and name = $2 and hash = $3 and loaded_at < $4', [
    tenantId,
    name,
    hash,
    now,
  ]);
  return false;
}

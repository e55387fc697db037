import pg from 'pg';
import { seededRandom } from './random.js';
import type { SpellingFamily } from './spellings.js';
import { spell, spellingFamilies } from './spellings.js';
import { ABSENT_SQL, PRESENT_SQL } from './oracle-sql.js';

/** One question's identifiers: the account is the scope, reference and instance are the keys. */
export interface AskedIdentifiers {
  account: string;
  reference: string;
  instance: string;
}

export interface PresentQuestion extends AskedIdentifiers {
  /** The one record of the account with this identity; its status blocks. */
  recordId: string;
}

/** In what an absent question resembles the rows that are there. */
export type NearMiss =
  | 'reference-of-another-account'
  | 'instance-of-no-such-row'
  | 'last-digit-changed'
  | 'last-digit-missing'
  | 'full-account'
  | 'small-account'
  | 'empty-account';

export interface Questions {
  present: PresentQuestion[];
  absent: AskedIdentifiers[];
  /** Of each absent question, in the same order. */
  nearMisses: NearMiss[];
}

export interface QuestionOptions {
  /** Of each of the two lists; 500 when absent. */
  count?: number;
  seed?: number;
}

export const COUNT_DEFAULT = 500;
const COUNT_MAX = 10_000;
const RESPELT_SHARE = 0.5;
const PLAIN: SpellingFamily = 'hyphens';

/**
 * Identifiers to try, with the right answer. What is there is decided in hand-written SQL by what the generator meant each row to say, never
 * by a rule that makes two spellings equal; a spelling is only chosen afterwards.
 */
export async function chooseQuestions(databaseUrl: string, options: QuestionOptions = {}): Promise<Questions> {
  const { count = COUNT_DEFAULT, seed = 1 } = options;
  if (!Number.isInteger(count) || count < 1 || count > COUNT_MAX)
    throw new RangeError(`count must be a whole number from 1 to ${COUNT_MAX}`);
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'lacuna-sample-oracle' });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const present = await client.query<PresentRow>(PRESENT_SQL, [seed, count]);
    const absent = await client.query<AbsentRow>(ABSENT_SQL, [seed, count]);
    await client.query('commit');
    if (present.rows.length < count || absent.rows.length < count) {
      throw new Error(
        `the table has ${present.rows.length} rows to ask for and ${absent.rows.length} absent identities, not ${count} of each`,
      );
    }
    return spellQuestions(present.rows, absent.rows, seed);
  } finally {
    await client.end();
  }
}

interface Canonical {
  account: string;
  canonical_reference: string;
  canonical_instance: string;
}
type PresentRow = Canonical & { id: string; reference: string; instance: string };
type AbsentRow = Canonical & { near_miss: NearMiss };

function spellQuestions(present: PresentRow[], absent: AbsentRow[], seed: number): Questions {
  const random = seededRandom(seed);
  const someSpelling = (canonical: string) =>
    spell(canonical, random.next() < RESPELT_SHARE ? random.pick(spellingFamilies) : PLAIN, random);
  return {
    present: present.map((row) => {
      const asStored = random.next() >= RESPELT_SHARE;
      const reference = asStored ? row.reference : respelt(row.canonical_reference, row.reference, someSpelling);
      return {
        account: row.account,
        reference,
        instance: asStored ? row.instance : someSpelling(row.canonical_instance),
        recordId: row.id,
      };
    }),
    absent: absent.map((row) => ({
      account: row.account,
      reference: someSpelling(row.canonical_reference),
      instance: someSpelling(row.canonical_instance),
    })),
    nearMisses: absent.map((row) => row.near_miss),
  };
}

const SPELLING_TRIES_MAX = 20;

/** Another spelling than the stored one; digits alone in few families may leave no other within the tries. */
function respelt(canonical: string, stored: string, someSpelling: (canonical: string) => string): string {
  for (let tries = 0; tries < SPELLING_TRIES_MAX; tries++) {
    const spelling = someSpelling(canonical);
    if (spelling !== stored) return spelling;
  }
  return stored;
}

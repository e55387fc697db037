import { hashedRegister, parseRegisterFile, search } from '@lacuna/connectors';
import { decide } from '@lacuna/evidence';
import { request } from 'undici';

/**
 * One read of a page server, as a process of its own: `node --expose-gc read-pages.mjs bare|contract URL ROUNDS`. Prints seconds of the best
 * round and how much the resident memory grew at most, MiB.
 */
const [way = 'bare', url = '', rounds = '3'] = process.argv.slice(2);
const MEBIBYTE = 1_048_576;
const SAMPLE_MS = 20;

/** The loop that people write first: undici and JSON.parse, every row compared. */
async function bare() {
  /** @type {string | null} */
  let cursor = null;
  let pages = 0;
  let found = false;
  do {
    const response = await request(cursor === null ? `${url}/list` : `${url}/list?cursor=${cursor}`);
    const body = /** @type {{ items: { reference: string }[], next: string | null }} */ (JSON.parse(await response.body.text()));
    found ||= body.items.some(({ reference }) => reference === 'INV-2024-none');
    cursor = body.next;
    pages += 1;
  } while (cursor !== null);
  if (found) throw new Error('found what is not there');
  return pages;
}

async function throughContract() {
  const register = readRegister();
  const { evidence, pages } = await search({
    register,
    question: { identifiers: [{ name: 'reference', value: 'INV-2024-none' }] },
    reach: { secrets: () => url, egress: { hosts: new Set([new URL(url).host]), networks: [] } },
  });
  const { verdict, reasons } = decide(evidence, register, new Date().toISOString());
  if (verdict !== 'scoped-no-match') throw new Error(`${verdict}: ${JSON.stringify(reasons)}`);
  return pages.length;
}

function readRegister() {
  const source = {
    name: 'bench',
    method: 'enumeration',
    authority: 'original',
    lagMaxMs: 0,
    drift: 'documented',
    attestation: { by: 'bench', until: '2100-01-01T00:00:00.000Z' },
    connect: {
      type: 'http',
      url: { env: 'BENCH' },
      request: { path: '/list' },
      items: '/items',
      record: { id: '/id', version: '/version', status: '/status', fields: { reference: '/reference' } },
      paging: { kind: 'cursor', send: 'cursor', next: '/next', noCursor: ['null'] },
      end: [{ by: 'no-next-cursor' }],
    },
  };
  const file = {
    name: 'bench',
    version: '1',
    owner: { name: 'Bench', contact: 'bench@example.org' },
    identifiers: { reference: { kind: 'key', normalise: [] } },
    freshnessMs: 3_600_000,
    policy: 'manual',
    budget: { pagesMax: 1_000_000, recordsMax: 10_000_000, bytesMax: 10_000_000_000, elapsedMsMax: 3_600_000 },
    clockSkewMaxMs: 0,
    sources: [source],
  };
  const parsed = parseRegisterFile(JSON.stringify(file), 'bench.yaml');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return hashedRegister(parsed.register);
}

const read = way === 'bare' ? bare : throughContract;
globalThis.gc?.();
const before = process.memoryUsage().rss;
let most = before;
const sampling = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), SAMPLE_MS);
let best = Infinity;
let pages = 0;
for (let round = 0; round < Number(rounds); round += 1) {
  const began = performance.now();
  pages = await read();
  best = Math.min(best, performance.now() - began);
}
clearInterval(sampling);
most = Math.max(most, process.memoryUsage().rss);
process.stdout.write(`${JSON.stringify({ pages, seconds: best / 1_000, grownMiB: Math.round((most - before) / MEBIBYTE) })}\n`);

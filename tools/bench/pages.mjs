import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const SPEED = { records: 20_000, size: 100, rounds: 8, times: 3 };
const SIZES = [1_000, 10_000, 100_000, 1_000_000];
const PAGE_SIZE = 1_000;

/** @typedef {{ pages: number, seconds: number, grownMiB: number }} Read */

/** @param {string} name */
const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** @param {number} records @param {number} size */
async function startServer(records, size) {
  const child = spawn(process.execPath, [here('page-server.mjs'), String(records), String(size)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(/** @type {import('node:stream').Readable} */ (child.stdout), 'data');
  return { url: String(line).trim(), stop: () => child.kill('SIGTERM') };
}

/** @param {'bare' | 'contract'} way @param {string} url @param {number} rounds @returns {Promise<Read>} */
async function readBy(way, url, rounds) {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', here('read-pages.mjs'), way, url, String(rounds)]);
  return JSON.parse(stdout);
}

/** Pages per second, and the memory and time of long reads. @param {(line: string) => void} say */
export async function benchPages(say) {
  say(`pages: ${SPEED.records} records in pages of ${SPEED.size}`);
  const server = await startServer(SPEED.records, SPEED.size);
  const best = { bare: 0, contract: 0 };
  try {
    for (let time = 0; time < SPEED.times; time += 1)
      for (const way of /** @type {const} */ (['bare', 'contract'])) {
        const { pages, seconds } = await readBy(way, server.url, SPEED.rounds);
        best[way] = Math.max(best[way], pages / seconds);
      }
  } finally {
    server.stop();
  }
  const ratio = Math.round((100 * best.contract) / best.bare) / 100;
  const reads = [];
  for (const records of SIZES) {
    say(`memory: ${records} records`);
    const long = await startServer(records, PAGE_SIZE);
    try {
      reads.push({ records, ...(await readBy('contract', long.url, 1)) });
    } finally {
      long.stop();
    }
  }
  const lines = [
    `bare undici and JSON.parse                     ${Math.round(best.bare)} pages/s   1.00`,
    `through a contract                             ${Math.round(best.contract)} pages/s   ${ratio}`,
    ...reads.map(
      ({ records, seconds, grownMiB }) =>
        `${String(records).padStart(9)} records   ${seconds.toFixed(2).padStart(6)} s   ${grownMiB} MiB more`,
    ),
  ];
  return {
    barePagesPerSecond: Math.round(best.bare),
    contractPagesPerSecond: Math.round(best.contract),
    contractToBare: ratio,
    reads,
    lines,
  };
}

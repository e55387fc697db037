import { createServer } from 'node:http';

/** Pages of records by cursor, as a process of its own: `node page-server.mjs RECORDS PAGE_SIZE`; prints its address. */
const [records = 1_000, size = 100] = process.argv.slice(2).map(Number);
const pages = Math.ceil(records / size);

/** @param {number} page */
function bodyOf(page) {
  const items = Array.from({ length: Math.min(size, records - page * size) }, (_, at) => {
    const number = page * size + at;
    return {
      id: number,
      version: 1,
      account: `ACC-${String(number % 1_000).padStart(6, '0')}`,
      reference: `INV-2024-${String(number).padStart(7, '0')}`,
      status: 'open',
      title: `Request number ${number}, with a line of text that nobody reads here`,
      amount: number / 8,
    };
  });
  return JSON.stringify({ items, next: page + 1 < pages ? String(page + 1) : null });
}

/** Made once, so that the server is not what is measured. */
const KEPT = 64;
const kept = Array.from({ length: Math.min(pages, KEPT) }, (_, page) => bodyOf(page));

const server = createServer((request, response) => {
  const page = Number(new URL(request.url ?? '/', 'http://bench').searchParams.get('cursor') ?? 0);
  response.writeHead(200, { 'content-type': 'application/json' }).end(kept[page] ?? bodyOf(page));
});
server.listen(0, '127.0.0.1', () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
process.once('SIGTERM', () => process.exit(0));

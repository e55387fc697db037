/** `lacuna contract`: from files, and against a live source, without any service. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runLacuna } from './run-lacuna.js';

const example = fileURLToPath(new URL('../../../registers/service-requests-http.yaml', import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lacuna-contract-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const fileOf = async (text: string): Promise<string> => {
  const path = join(folder, 'contract.yaml');
  await writeFile(path, text);
  return path;
};

describe('lacuna contract explain', () => {
  it('says of a register how it is read, what ends it, and under which conditions it supports a no-match', async () => {
    const { exitCode, out } = await runLacuna(['contract', 'explain', example]);
    expect(exitCode).toBe(0);
    expect(out).toContain('ledger-api  can support a no-match');
    expect(out).toContain('It ends where no next cursor is given.');
    expect(out).toContain('that the credential sees every record');
  });

  // Fails if a contract that can only hold is explained as if it could decide, or without its reason.
  it('says of a contract that can only hold, why', async () => {
    const path = await fileOf(
      'visibility: filtered-after-limit\nconnect:\n  paging: { kind: page, send: page }\n  end: [{ by: empty-page, documentedAt: x }]\n',
    );
    const { exitCode, out } = await runLacuna(['contract', 'explain', path]);
    expect(exitCode).toBe(0);
    expect(out).toContain('can only hold, for these 2 reasons:');
    expect(out).toContain('so that a short or an empty page is no end: visibility-limited');
    const json = await runLacuna(['contract', 'explain', path, '--json']);
    expect(JSON.parse(json.out)).toMatchObject({ kind: 'contract', sources: [{ strength: { canSupport: false } }] });
  });

  it('names line and field of a mistake, and what is neither file nor preset', async () => {
    const path = await fileOf('connect:\n  itemz: /x\n');
    const wrong = await runLacuna(['contract', 'explain', path]);
    expect(wrong).toMatchObject({ exitCode: 1, out: '' });
    expect(wrong.err).toContain(`${path}:2:3 /connect/itemz is no field`);
    const none = await runLacuna(['contract', 'explain', join(folder, 'none')]);
    expect(none.err).toContain('is no preset');
    expect((await runLacuna(['contract', 'show', 'no-such-preset'])).err).toContain('lacuna contract list');
  });
});

describe('lacuna contract check', () => {
  const contract = `
connect:
  request: { path: /things }
  items: /items
  record: { id: /id, fields: { reference: /reference } }
  paging: { kind: none }
  end: [{ by: single-answer, documentedAt: x }]
`;

  // Fails if a source that breaks its contract gives exit code 0: a pipeline would go on.
  it('exits with 0 where nothing was seen to be false, and with 1 where something was', async () => {
    let items: unknown = [{ id: 1, reference: 'a' }];
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ items }));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const path = await fileOf(contract);
    const kept = await runLacuna(['contract', 'check', path, '--source-url', url]);
    expect(kept).toMatchObject({ exitCode: 0, err: '' });
    expect(kept.out).toContain('Seen to be true');
    items = [{ id: 1 }];
    const broken = await runLacuna(['contract', 'check', path, '--source-url', url, '--json']);
    expect(broken.exitCode).toBe(1);
    expect(JSON.parse(broken.out)).toMatchObject({ pages: 1, records: 1 });
    server.close();
    expect((await runLacuna(['contract', 'check', path, '--source-url', url])).exitCode).toBe(1);
  });

  it('refuses what is no URL, no identifier, or leaves its request to a register', async () => {
    const path = await fileOf(contract);
    expect((await runLacuna(['contract', 'check', path, '--source-url', 'nonsense'])).exitCode).toBe(2);
    expect((await runLacuna(['contract', 'check', path, '--source-url', 'http://127.0.0.1:1', '--identifiers', 'x=1'])).exitCode).toBe(2);
    const open = await runLacuna(['contract', 'check', await fileOf('connect: { flags: [] }'), '--source-url', 'http://127.0.0.1:1']);
    expect(open.err).toContain('to the register');
  });
});

describe('lacuna contract list', () => {
  it('names every preset, which show and explain take', async () => {
    const { exitCode, out } = await runLacuna(['contract', 'list', '--json']);
    expect(exitCode).toBe(0);
    for (const { name } of (JSON.parse(out) as { presets: { name: string }[] }).presets) {
      expect((await runLacuna(['contract', 'show', name])).out).toContain(name);
      expect(await runLacuna(['contract', 'explain', name])).toMatchObject({ exitCode: 0, err: '' });
    }
  });
});

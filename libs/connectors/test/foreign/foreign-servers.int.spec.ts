/** Contracts against servers that nobody here wrote: what a preset says of an API must be what the API does. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decide, type Decision, type PageFacts } from '@lacuna/evidence';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashedRegister, parseRegisterFile, search } from '../../kit/index.js';
import { aRegisterText } from '../a-contract.js';
import { McpBridge } from './mcp-bridge.js';

const require = createRequire(import.meta.url);
const ATTESTED = { by: 'desk', until: '2100-01-01T00:00:00.000Z' };

const asked = async (
  source: object,
  url: string,
  value: string,
  kind: 'exists' | 'enumerate' = 'exists',
): Promise<{ readonly decision: Decision; readonly pages: readonly PageFacts[] }> => {
  const text = aRegisterText(
    { name: 'foreign', attestation: ATTESTED, ...source },
    { identifiers: { key: { kind: 'key', normalise: [] } }, freshnessMs: 3_600_000, clockSkewMaxMs: 0 },
  );
  const parsed = parseRegisterFile(text, 'foreign.yaml');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const register = hashedRegister(parsed.register);
  const { evidence, pages } = await search({
    register,
    question: { kind, identifiers: [{ name: 'key', value }] },
    reach: {
      secrets: (reference) => ('env' in reference && reference.env === 'FOREIGN_URL' ? url : CREDENTIAL),
      egress: { hosts: new Set([new URL(url).host]), networks: [] },
    },
  });
  return { decision: decide(evidence, register, new Date().toISOString()), pages };
};

/** dynalite looks at the form of a signature and at nothing else. */
const CREDENTIAL = 'AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=b';

describe('DynamoDB as dynalite serves it', () => {
  const ROWS = 60;
  let server: { listen(port: number, host: string, done: () => void): void; address(): AddressInfo; close(done: () => void): void };
  let url: string;

  const call = async (operation: string, body: object): Promise<void> => {
    const { statusCode, body: answer } = await request(url, {
      method: 'POST',
      headers: {
        'x-amz-target': `DynamoDB_20120810.${operation}`,
        'content-type': 'application/x-amz-json-1.0',
        authorization: CREDENTIAL,
        'x-amz-date': '20260101T000000Z',
      },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (statusCode !== 200) throw new Error(text);
  };

  beforeAll(async () => {
    // It has no types.
    const dynalite = require('dynalite') as (options: object) => typeof server;
    server = dynalite({ createTableMs: 0, updateTableMs: 0, deleteTableMs: 0 });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    url = `http://127.0.0.1:${server.address().port}`;
    await call('CreateTable', {
      TableName: 'tickets',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'N' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      ProvisionedThroughput: { ReadCapacityUnits: 100, WriteCapacityUnits: 100 },
    });
    for (let number = 0; number < ROWS; number += 1) {
      const key = number === ROWS - 1 ? 'K-1' : `other-${number}`;
      await call('PutItem', { TableName: 'tickets', Item: { pk: { S: 'desk' }, sk: { N: String(number) }, key: { S: key } } });
    }
  });
  afterAll(() => new Promise<void>((closed) => server.close(closed)));

  /** The filter is applied after the limit: most pages are empty and have a key. */
  const source = (preset: 'dynamodb-scan' | 'dynamodb-query', more: object): object => ({
    presets: [preset],
    comparison: { key: { by: 'equality' } },
    connect: {
      url: { env: 'FOREIGN_URL' },
      auth: { kind: 'api-key', name: 'authorization', value: { env: 'FOREIGN_KEY' } },
      request: {
        headers: { 'x-amz-date': '20260101T000000Z' },
        body: {
          TableName: 'tickets',
          ConsistentRead: true,
          Limit: 4,
          FilterExpression: '#k = :k',
          ExpressionAttributeNames: { '#k': 'key' },
          ExpressionAttributeValues: {
            ':k': { S: { $identifier: 'key' } },
            ...(preset === 'dynamodb-query' ? { ':p': { S: 'desk' } } : {}),
          },
          ...more,
        },
      },
      record: { id: ['/pk/S', '/sk/N'], fields: { key: '/key/S' } },
    },
  });
  const ways = [
    ['dynamodb-scan', source('dynamodb-scan', {})],
    ['dynamodb-query', source('dynamodb-query', { KeyConditionExpression: 'pk = :p' })],
  ] as const;

  // Fails if an empty page with a key ends the read: the record is behind fourteen of them.
  it.each(ways)('%s finds a record behind empty pages', async (_name, way) => {
    const { decision, pages } = await asked(way, url, 'K-1');
    expect(decision.verdict).toBe('match-review');
    expect(pages.filter(({ records, end }) => records === 0 && end === 'continues').length).toBeGreaterThanOrEqual(14);
    expect(pages.at(-1)?.rows[0]?.recordId).toBe('["desk","59"]');
  });

  // Fails if the presets hold where nothing is to hold for.
  it.each(ways)('%s supports a no-match after all of them', async (_name, way) => {
    const { decision, pages } = await asked(way, url, 'K-2');
    expect(decision).toMatchObject({ verdict: 'scoped-no-match', partial: false });
    expect(pages.length).toBeGreaterThanOrEqual(ROWS / 4);
  });

  it('a refusal in its own words is no empty answer', async () => {
    const { decision } = await asked(source('dynamodb-scan', { TableName: 'none' }), url, 'K-1');
    expect(decision.verdict).toBe('evidence-hold');
  });
});

describe('MCP servers of others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lacuna-mcp-'));
  let everything: McpBridge;
  let memory: McpBridge;

  beforeAll(async () => {
    everything = new McpBridge(require.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
    memory = new McpBridge(require.resolve('@modelcontextprotocol/server-memory/dist/index.js'), {
      MEMORY_FILE_PATH: join(folder, 'memory.jsonl'),
    });
    await Promise.all([everything.start(), memory.start()]);
    const entities = Array.from({ length: 30 }, (_, at) => ({ name: `entity-${at}`, entityType: 'thing', observations: [`n ${at}`] }));
    await memory.ask('tools/call', { name: 'create_entities', arguments: { entities } });
  });
  afterAll(async () => {
    await Promise.all([everything.stop(), memory.stop()]);
    rmSync(folder, { recursive: true });
  });

  const list = (items: string, id: string, method: string): object => ({
    presets: ['mcp-list-2025'],
    lagMaxMs: 0,
    connect: {
      url: { env: 'FOREIGN_URL' },
      request: { path: '/mcp', body: { jsonrpc: '2.0', id: 1, method, params: {} } },
      items: `/result/${items}`,
      record: { id: `/${id}`, fields: { key: `/${id}` } },
    },
  });

  it.each([
    ['tools', list('tools', 'name', 'tools/list'), 'echo'],
    ['prompts', list('prompts', 'name', 'prompts/list'), 'simple-prompt'],
    ['resources', list('resources', 'uri', 'resources/list'), 'demo://resource/static/document/architecture.md'],
  ])('the list of %s shows what is there, and what is not', async (_name, source, there) => {
    expect((await asked(source, everything.url, there)).decision.verdict).toBe('match-review');
    expect((await asked(source, everything.url, 'no-such-thing')).decision.verdict).toBe('scoped-no-match');
  });

  // Fails if an error of the protocol reads as an empty list.
  it('a method that a server does not know is no empty list', async () => {
    const { decision } = await asked(list('prompts', 'name', 'prompts/list'), memory.url, 'simple-prompt');
    expect(decision.reasons.map(({ code }) => code)).toContain('error-in-success');
  });

  const tool = (name: string, args: object, more: object = {}): object => ({
    presets: ['mcp-tool-result'],
    drift: 'single-response',
    lagMaxMs: 0,
    ...more,
    connect: {
      url: { env: 'FOREIGN_URL' },
      request: { path: '/mcp', body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } } },
      items: '/result/structuredContent/entities',
      record: { id: '/name', fields: { key: '/name' } },
      paging: { kind: 'none' },
      end: [{ by: 'single-answer', documentedAt: 'https://github.com/modelcontextprotocol/servers/tree/main/src/memory' }],
    },
  });
  const attested = { attested: { 'tool-may-cut': ATTESTED, 'silent-misconfiguration': ATTESTED } };

  it('a tool that reads the whole graph can support a no-match, where somebody attests that it is whole', async () => {
    const graph = tool('read_graph', {}, attested);
    expect((await asked(graph, memory.url, 'entity-29')).decision.verdict).toBe('match-review');
    expect((await asked(graph, memory.url, 'entity-30')).decision.verdict).toBe('scoped-no-match');
    expect((await asked(graph, memory.url, 'entity-7', 'enumerate')).decision.count).toBe(1);
  });

  // Fails if a tool's failure, which is a normal result, reads as nothing found.
  it('a tool that fails is no empty result', async () => {
    const { decision } = await asked(tool('no_such_tool', {}, attested), memory.url, 'entity-1');
    expect(decision.reasons.map(({ code }) => code)).toContain('error-in-success');
  });

  // Fails if a search by words is trusted: it is asked as the register asks, and compares otherwise.
  it('a search tool that compares by containing text finds, and supports a no-match, for it is compared again here', async () => {
    const search = tool(
      'search_nodes',
      { query: { $identifier: 'key' } },
      { ...attested, comparison: { key: { by: 'contains', normalise: ['case-fold'] } } },
    );
    expect((await asked(search, memory.url, 'entity-29')).decision.verdict).toBe('match-review');
    expect((await asked(search, memory.url, 'entity-2')).decision.verdict).toBe('match-review');
    expect((await asked(search, memory.url, 'entity-99')).decision.verdict).toBe('scoped-no-match');
  });
});

import { describe, expect, it } from 'vitest';
import { decodeEvent, encodeEvent, eventDefinitions, events, InvalidEventError, topicRetention, topics, type PageRead } from './index.js';

const sha = 'a'.repeat(64);
const at = '2026-01-31T12:00:00.000Z';
const page: PageRead = {
  tenantId: 'acme',
  questionId: 'q1',
  generation: 1,
  source: 'ledger',
  attemptId: 'q1.1.ledger.7.1',
  sequence: 0,
  pass: 1,
  previousHash: '0'.repeat(64),
  hash: sha,
  requestFingerprint: sha,
  cursorFingerprint: null,
  nextCursorFingerprint: null,
  startedAt: at,
  endedAt: at,
  status: 200,
  records: 1,
  bytes: 120,
  rowsWithoutKey: 0,
  end: 'signalled',
  stop: 'end-signalled',
  doubts: [],
  bodySha256: sha,
  idsDigest: sha,
  rows: [{ recordId: '9007199254740993', version: null, digest: sha, results: { reference: 'agree' }, status: 'open', followedTo: null }],
  remarks: null,
};

const received = (value: string | Buffer, headers: Record<string, string>) => ({ value: Buffer.from(value), headers });

describe('the event codec', () => {
  it('gives the same id, key and bytes for the same event, so that a repetition can be told by its bytes', () => {
    // Fails if an id or a time is drawn at encoding instead of taken from the data.
    const first = encodeEvent(events.pageRead, page, 'search-runner');
    const second = encodeEvent(events.pageRead, { ...page }, 'search-runner');
    expect(second).toEqual(first);
    expect(first.key.toString()).toBe('acme:q1');
    expect(first.headers).toMatchObject({
      ce_specversion: '1.0',
      ce_id: 'acme:q1.1.ledger.7.1:0',
      ce_type: 'lacuna.page.read',
      ce_time: at,
    });
  });

  it('reads back what it wrote, and keeps a record id beyond 2^53 to the digit', () => {
    // Fails if ids travel as JSON numbers.
    const encoded = encodeEvent(events.pageRead, page, 'search-runner');
    const outcome = decodeEvent({ value: encoded.value, headers: encoded.headers });
    expect(outcome.ok && outcome.event.data).toMatchObject(page);
  });

  it('refuses to publish data that its own class refuses', () => {
    // Fails if validation happens only on the consumer's side, where it would poison a topic.
    expect(() => encodeEvent(events.pageRead, { ...page, sequence: -1 }, 'search-runner')).toThrow(InvalidEventError);
    expect(() => encodeEvent(events.pageRead, { ...page, rows: [{ ...page.rows[0]!, digest: 'x' }] }, 'search-runner')).toThrow(
      /rows\/0\/digest/,
    );
  });

  it.each([
    ['no ce_type header', '{}', {}, 'no-type'],
    ['an unknown type', '{}', { ce_type: 'lacuna.made.up' }, 'unknown-type'],
    ['a type named like an object property', '{}', { ce_type: 'constructor' }, 'unknown-type'],
    ['a value that is not JSON', '{"tenantId":', { ce_type: 'lacuna.page.read' }, 'not-json'],
    ['an empty value', '', { ce_type: 'lacuna.page.read' }, 'not-json'],
    ['a JSON array', '[]', { ce_type: 'lacuna.page.read' }, 'invalid'],
    ['a missing field', '{"tenantId":"acme"}', { ce_type: 'lacuna.page.read' }, 'invalid'],
  ])('tells %s apart as an outcome and never throws', (_what, value, headers, why) => {
    // Fails if bad bytes throw in the consumer: that message would then be tried for ever.
    expect(decodeEvent(received(value, headers as Record<string, string>))).toMatchObject({ ok: false, why });
  });

  it('accepts a field that a newer producer added', () => {
    // Fails if unknown fields are refused: producers could then never be rolled out before consumers.
    const encoded = encodeEvent(events.pageRead, page, 'search-runner');
    const value = Buffer.from(JSON.stringify({ ...JSON.parse(encoded.value.toString()), newer: true }));
    expect(decodeEvent({ value, headers: encoded.headers })).toMatchObject({ ok: true });
  });
});

describe('the event catalogue', () => {
  it('has every type once and a retention for every topic', () => {
    // Fails if two events share a type, or a topic would be made with the broker's default retention.
    expect(new Set(eventDefinitions.map((definition) => definition.type)).size).toBe(eventDefinitions.length);
    expect(Object.keys(topicRetention).sort()).toEqual(Object.values(topics).sort());
  });

  it('keeps receipts for ever and never compacts them', () => {
    // Fails if the append-only topic could lose a leaf.
    expect(topicRetention[topics.receipts]).toEqual({ cleanup: 'delete', retentionMs: -1 });
  });
});

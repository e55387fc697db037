import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { murmur2, partitionOf } from './murmur2.js';

const require = createRequire(import.meta.url);
const kafkajs = require('kafkajs/src/producer/partitioners/default/murmur2') as (key: Buffer) => number;

describe('the partition of a key', () => {
  it('is hashed as the Kafka client does it, for every length and byte: a change of log moves no key', () => {
    for (let length = 0; length < 64; length += 1) {
      const key = Buffer.from(Array.from({ length }, (_, index) => (index * 89 + length * 31) % 256));
      expect(murmur2(key)).toBe(kafkajs(key));
    }
  });

  it('is one of the topic', () => {
    const found = new Set(Array.from({ length: 300 }, (_, index) => partitionOf(Buffer.from(`acme:question-${index}`), 3)));
    expect([...found].sort()).toEqual([0, 1, 2]);
  });
});

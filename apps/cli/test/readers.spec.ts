import { gatewayDefinition } from '@lacuna/gateway';
import { notifier } from '@lacuna/notifier';
import { searchRunner } from '@lacuna/search-runner';
import { verdict } from '@lacuna/verdict';
import { writeGuard } from '@lacuna/write-guard';
import { describe, expect, it } from 'vitest';
import { readers } from '../src/topics/readers.js';

describe('who reads what', () => {
  it('is what the services say of themselves; fails when a service reads a topic whose dead letters have none', () => {
    const own = [gatewayDefinition, searchRunner, verdict, writeGuard, notifier].map(({ name, consumes }) => [name, [...consumes].sort()]);
    expect(readers.map(({ name, consumes }) => [name, [...consumes].sort()])).toEqual(own);
  });

  // Fails if a topic whose handler acts on the world can be replayed, or tables are emptied that another topic fills.
  it('and what can be replayed is what the services say of themselves', () => {
    const own = [gatewayDefinition, searchRunner, verdict, writeGuard, notifier].map(({ name, schema, readModels = [] }) => {
      const tables = Object.fromEntries(readModels.map((model) => [model.topic, model.tables]));
      return { name, replays: readModels.length > 0 ? { schema, tables } : undefined };
    });
    expect(readers.map(({ name, replays }) => ({ name, replays }))).toEqual(own);
  });
});

import { topics, type EncodedEvent } from '@lacuna/events';
import type { PartitionHandler, TenantBatch, TopicHandler } from '@lacuna/messaging';
import { Controller, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { describe, expect, it } from 'vitest';
import { MemoryLog } from '../test/memory-log.js';
import { EventLogStrategy } from './event-log-strategy.js';
import { OnTopic } from './on-topic.js';
import { OriginalErrorFilter } from './original-error-filter.js';

class AwayError extends Error {}

@Controller()
class Searches {
  failures = 0;
  committed = 0;

  @OnTopic(topics.searches)
  async handle(_batch: TenantBatch): Promise<readonly EncodedEvent[]> {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (this.failures-- > 0) throw new AwayError('away');
    this.committed += 1;
    return [{ topic: topics.verdicts, key: Buffer.from('k'), value: Buffer.from('v'), headers: {} }];
  }
}

@Controller()
class SearchesAgain {
  @OnTopic(topics.searches)
  async handle(_batch: TenantBatch): Promise<readonly EncodedEvent[]> {
    return [];
  }
}

@Controller()
class Forgetful {
  @OnTopic(topics.searches)
  async handle(_batch: TenantBatch): Promise<void> {}
}

/** Calls the handlers as the batch loop does, and notes what it sees. */
class Loop implements PartitionHandler {
  readonly outcomes: unknown[] = [];

  constructor(private readonly handlers: ReadonlyMap<string, TopicHandler>) {}

  async takeOver(): Promise<bigint> {
    return 0n;
  }

  async handle({ topic }: { topic: string }): Promise<void> {
    const handler = this.handlers.get(topic) as TopicHandler;
    const outcome = await handler({ topic } as unknown as TenantBatch).catch((error: unknown) => error);
    this.outcomes.push(outcome);
    if (outcome instanceof Error) throw outcome;
  }

  release(): void {}
}

async function start(controllers: Type[], consumes: readonly string[] = [topics.searches]) {
  const log = new MemoryLog();
  const loops: Loop[] = [];
  const makeHandler = (handlers: ReadonlyMap<string, TopicHandler>) => {
    const loop = new Loop(handlers);
    loops.push(loop);
    return loop;
  };
  const strategy = new EventLogStrategy({ group: 'verdict', log, consumes, batchMessagesMax: 10, onFatal: () => undefined, makeHandler });
  @Module({ controllers })
  class App {}
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(App, { strategy, logger: false, abortOnError: false });
  app.useGlobalFilters(new OriginalErrorFilter());
  await app.listen();
  return { app, log, strategy, loop: loops[0] as Loop };
}

describe('the event log strategy', () => {
  it('has handled when the handler is done, and hands its events back; fails when only the promise of the observable is awaited (S2)', async () => {
    const { app, log, loop } = await start([Searches]);
    await log.deliver(topics.searches);
    expect(app.get(Searches).committed).toBe(1);
    expect(loop.outcomes).toMatchObject([[{ topic: topics.verdicts }]]);
    await app.close();
  });

  it('hands the original error on, so that the failure table can read it; fails when it is "Internal server error" or success', async () => {
    const { app, log, loop } = await start([Searches]);
    app.get(Searches).failures = 2;
    await log.deliver(topics.searches);
    expect(loop.outcomes.slice(0, 2).map((error) => error instanceof AwayError)).toEqual([true, true]);
    expect(app.get(Searches).committed).toBe(1);
    await app.close();
  });

  it('refuses a handler that answers no list; fails when a forgotten return silently publishes nothing', async () => {
    const { app, log, loop } = await start([Forgetful]);
    await expect(log.deliver(topics.searches)).rejects.toThrow('answered no list of events');
    expect(loop.outcomes).toHaveLength(5);
    await app.close();
  });

  it.each<[string, Type[], readonly string[], RegExp]>([
    ['two handlers of one topic (S1)', [Searches, SearchesAgain], [topics.searches], /two handlers for lacuna\.searches\.v1/],
    ['a handler of an undeclared topic (S3)', [Searches], [], /handles lacuna\.searches\.v1 but does not declare/],
    [
      'a declared topic without a handler (S3)',
      [Searches],
      [topics.searches, topics.writes],
      /declares to consume lacuna\.writes\.v1 but nothing/,
    ],
  ])('refuses to start with %s; fails when events are left lying or handled twice', async (_what, controllers, consumes, sentence) => {
    await expect(start(controllers, consumes)).rejects.toThrow(sentence);
  });

  it('stops its consumer when it is closed, and says so', async () => {
    const { app, log, strategy } = await start([Searches]);
    expect(strategy.isRunning()).toBe(true);
    await app.close();
    expect(log.isStopped).toBe(true);
    expect(strategy.isRunning()).toBe(false);
  });
});

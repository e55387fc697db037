import { describe, expect, it } from 'vitest';
import { ServiceMetrics } from './metrics.js';

describe('the metrics', () => {
  it('tell position and lag of the partitions in hand, and forget a released one; fails when lag of another owner is shown', async () => {
    const metrics = new ServiceMetrics('verdict');
    const handler = metrics.watch({ takeOver: async () => 4n, handle: async () => undefined, release: () => undefined });
    const ends = async () =>
      new Map([
        [0, 10n],
        [1, 20n],
      ]);
    metrics.scrapeFrom({ outboxSources: async () => 2, ends, isConsumerRunning: () => true });
    for (const partition of [0, 1]) await handler.takeOver({ topic: 't', partition }, { logStart: 0n, logEnd: 10n });
    handler.release({ topic: 't', partition: 0 });
    metrics.observer.batchHandled?.({ topic: 't', partition: 1 }, 7, 30);
    const text = await metrics.registry.metrics();
    expect(text).toContain('lacuna_consumer_position{topic="t",partition="1",service="verdict"} 4');
    expect(text).toContain('lacuna_consumer_lag_messages{topic="t",partition="1",service="verdict"} 16');
    expect(text).not.toContain('partition="0"');
    expect(text).toContain('lacuna_events_handled_total{topic="t",service="verdict"} 7');
    expect(text).toContain('lacuna_outbox_pending_sources{service="verdict"} 2');
    expect(text).toContain('lacuna_consumer_running{service="verdict"} 1');
  });

  it('answer also when database and log are away; fails when a scrape hangs or fails in an outage', async () => {
    const metrics = new ServiceMetrics('verdict');
    const away = async () => Promise.reject(new Error('away'));
    await metrics
      .watch({ takeOver: async () => 4n, handle: async () => undefined, release: () => undefined })
      .takeOver({ topic: 't', partition: 0 }, { logStart: 0n, logEnd: 10n });
    metrics.scrapeFrom({ outboxSources: away, ends: away, isConsumerRunning: () => false });
    const text = await metrics.registry.metrics();
    expect(text).toContain('lacuna_consumer_running{service="verdict"} 0');
    expect(text).toContain('lacuna_outbox_pending_sources{service="verdict"} Nan');
  });
});

/** The Kafka of the test run. */
import type { DeliveryLogger } from '@lacuna/messaging';

/** Empty where no Kafka can be had. */
export function testBrokers(): string[] {
  return (process.env.LACUNA_TEST_KAFKA_BROKERS ?? '').split(',').filter((broker) => broker !== '');
}

export const quiet: DeliveryLogger = { info: () => undefined, warn: () => undefined, error: () => undefined };

import { isEvent, type EventDefinition } from '@lacuna/events';
import type { TenantBatch } from '@lacuna/messaging';

/** The data of one event type in a batch, in log order. */
export function dataOf<T extends object>(definition: EventDefinition<T>, { events }: TenantBatch): T[] {
  return events.filter((event) => isEvent(definition, event)).map((event) => event.data as T);
}

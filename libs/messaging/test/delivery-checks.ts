/** What must hold once all is handled, each with the name by which a test says what caught a mistake. */
import type { DeliveryWorld } from './delivery-world.js';

export type DeliveryCheck =
  | 'no effect is missing'
  | 'no effect is doubled'
  | 'no event is missing'
  | 'effects of a key are in order'
  | 'events of a key are in order'
  | 'a dead letter has its bytes';

export function brokenChecks(world: DeliveryWorld): DeliveryCheck[] {
  const wanted = [...world.names.values()].flat();
  const { effects } = world.tables;
  const out = world.published.filter((event) => event.topic === 'out').map((event) => event.value.toString());
  // A repetition is dropped by its natural key: the first occurrence counts.
  const first = [...new Set(out)];
  const isInOrder = (names: readonly string[]) =>
    [...world.names].every(([questionId, sent]) => {
      const own = names.filter((name) => name.startsWith(`${questionId}/`));
      return JSON.stringify(own) === JSON.stringify(sent.filter((name) => own.includes(name)));
    });
  const letters = world.published.filter((event) => event.topic.endsWith('.dlq'));
  const holds: Record<DeliveryCheck, boolean> = {
    'no effect is missing': wanted.every((name) => effects.includes(name)),
    'no effect is doubled': new Set(effects).size === effects.length,
    'no event is missing': wanted.every((name) => first.includes(name)),
    'effects of a key are in order': isInOrder([...new Set(effects)]),
    'events of a key are in order': isInOrder(first),
    'a dead letter has its bytes': letters.every(({ headers, value }) => {
      const original = world.sent[Number(headers['errors.partition'])]?.[Number(headers['errors.offset'])];
      return original?.value?.equals(value) === true;
    }),
  };
  return (Object.keys(holds) as DeliveryCheck[]).filter((check) => !holds[check]);
}

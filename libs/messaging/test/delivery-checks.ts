/** What must hold once all is handled, each with the name by which a test says what caught a mistake. */
import type { DeliveryWorld } from './delivery-world.js';

export type DeliveryCheck =
  'no effect is missing' | 'no effect is doubled' | 'no event is missing' | 'events of a key are in order' | 'poison is a dead letter';

export function brokenChecks(world: DeliveryWorld): DeliveryCheck[] {
  const wanted = world.sent.flatMap((messages, partition) =>
    messages.map((_, offset) => `${partition}/${offset}`).filter((name) => !world.poison.has(name)),
  );
  const { effects } = world.tables;
  const out = world.published.filter((event) => event.topic === 'out').map((event) => event.value.toString());
  const first = [...new Set(out)];
  const letters = world.published.filter((event) => event.topic.endsWith('.dlq'));
  const lettersOf = new Set(letters.map(({ headers }) => `${headers['errors.partition']}/${headers['errors.offset']}`));
  const byPartition = (names: readonly string[], partition: number) => names.filter((name) => name.startsWith(`${partition}/`));
  const inOrder = world.sent.every((_, partition) => {
    const offsets = byPartition(first, partition).map((name) => Number(name.split('/')[1]));
    return offsets.every((offset, index) => index === 0 || offset > (offsets[index - 1] ?? -1));
  });
  const kept = letters.every(({ headers, value }) => {
    const message = world.sent[Number(headers['errors.partition'])]?.[Number(headers['errors.offset'])];
    return message?.value?.equals(value) === true;
  });
  const holds: Record<DeliveryCheck, boolean> = {
    'no effect is missing': wanted.every((name) => effects.includes(name)),
    'no effect is doubled': new Set(effects).size === effects.length,
    'no event is missing': wanted.every((name) => first.includes(name)),
    'events of a key are in order': inOrder,
    'poison is a dead letter': kept && lettersOf.size === world.poison.size && [...world.poison].every((name) => lettersOf.has(name)),
  };
  return (Object.keys(holds) as DeliveryCheck[]).filter((check) => !holds[check]);
}

/**
 * CloudEvents 1.0 in Kafka binary mode: `ce_*` headers, the JSON of the data as value
 * (CloudEvents Kafka protocol binding 1.0.2, section 3.2). The same event always gives the same bytes.
 */
import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { definitionOf, type EventDefinition, type Service } from './catalogue.js';

/** Bytes ready for a topic. Header values are UTF-8 text. */
export interface EncodedEvent {
  readonly topic: string;
  readonly key: Buffer;
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** An event as a consumer gets it: validated data of its class. */
export interface DecodedEvent<T extends object = object> {
  readonly type: string;
  readonly id: string;
  readonly source: string;
  readonly time: string;
  readonly traceparent: string | null;
  readonly data: T;
}

export type DecodeOutcome =
  | { readonly ok: true; readonly event: DecodedEvent }
  | { readonly ok: false; readonly why: 'no-type' | 'unknown-type' | 'not-json' | 'invalid'; readonly detail: string };

/** Our own data failed its own class: a bug, never a bad input. */
export class InvalidEventError extends Error {
  override readonly name = 'InvalidEventError';
}

const validation = { forbidUnknownValues: true, whitelist: false, stopAtFirstError: false } as const;

/**
 * Encodes one event. Data is validated first, so that nothing invalid is ever published.
 * @throws InvalidEventError when the data does not satisfy its class.
 */
export function encodeEvent<T extends object>(
  definition: EventDefinition<T>,
  data: T,
  producer: Service,
  traceparent?: string | null,
): EncodedEvent {
  const problems = problemsOf(plainToInstance(definition.dataClass, data));
  if (problems.length > 0) throw new InvalidEventError(`${definition.type}: ${problems.join('; ')}`);
  return {
    topic: definition.topic,
    key: Buffer.from(definition.key(data)),
    value: Buffer.from(JSON.stringify(data)),
    headers: {
      ce_specversion: '1.0',
      ce_type: definition.type,
      ce_source: `/lacuna/${producer}`,
      ce_id: definition.id(data),
      ce_time: definition.time(data),
      'content-type': 'application/json',
      ...(traceparent ? { traceparent } : {}),
    },
  };
}

/** Decodes and validates a message. Unknown fields in the data are kept (a newer producer may add some). */
export function decodeEvent(message: { value: Buffer | null; headers: Readonly<Record<string, Buffer | string>> }): DecodeOutcome {
  const header = (name: string) => message.headers[name]?.toString() ?? null;
  const type = header('ce_type');
  if (!type) return { ok: false, why: 'no-type', detail: 'the message has no ce_type header' };
  const definition = definitionOf(type);
  if (!definition) return { ok: false, why: 'unknown-type', detail: type };
  let plain: unknown;
  try {
    plain = JSON.parse(message.value?.toString('utf8') ?? '');
  } catch (error) {
    return { ok: false, why: 'not-json', detail: (error as Error).message };
  }
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain))
    return { ok: false, why: 'invalid', detail: 'the value is not an object' };
  const data = plainToInstance(definition.dataClass, plain);
  const problems = problemsOf(data);
  if (problems.length > 0) return { ok: false, why: 'invalid', detail: problems.join('; ') };
  return {
    ok: true,
    event: {
      type,
      id: header('ce_id') ?? definition.id(data),
      source: header('ce_source') ?? '',
      time: definition.time(data),
      traceparent: header('traceparent'),
      data,
    },
  };
}

/** Narrows a decoded event to one definition. */
export function isEvent<T extends object>(definition: EventDefinition<T>, event: DecodedEvent): event is DecodedEvent<T> {
  return event.type === definition.type;
}

function problemsOf(data: object): string[] {
  return validateSync(data, validation).flatMap((error) => describe(error, ''));
}

function describe(error: ValidationError, path: string): string[] {
  const here = `${path}/${error.property}`;
  const own = Object.values(error.constraints ?? {}).map((message) => `${here}: ${message}`);
  return [...own, ...(error.children ?? []).flatMap((child) => describe(child, here))];
}

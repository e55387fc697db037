/** Failures of Kafka as callers may tell them apart. */

/** No broker answers, or not in time. */
export class LogUnreachableError extends Error {
  override readonly name = 'LogUnreachableError';
}

/** The message is larger than a broker takes: retrying does not help. */
export class MessageTooLargeError extends Error {
  override readonly name = 'MessageTooLargeError';
  constructor(topic: string, bytes: number, bytesMax: number, options?: ErrorOptions) {
    super(`a message for ${topic} has ${bytes} bytes; ${bytesMax} are the most that the log takes`, options);
  }
}

/** A kafkajs error as ours: refused sign-in and absence say what to do, all else stays what it is. */
export function kafkaError(error: unknown, brokers: readonly string[]): unknown {
  if (!(error instanceof Error) || !error.name.startsWith('KafkaJS')) return error;
  const at = `Kafka at ${brokers.join(', ')}`;
  if (hasName(error, /SASLAuthentication/))
    return new Error(`${at} refuses the sign-in: check LACUNA_KAFKA_USER and LACUNA_KAFKA_PASSWORD`, { cause: error });
  if (CERTIFICATE.test(error.message))
    return new Error(`${at} shows a certificate that is not trusted: check LACUNA_KAFKA_CA_FILE (${error.message})`, { cause: error });
  if (hasName(error, /Connection|RequestTimeout|NumberOfRetriesExceeded|NoBrokerAvailable|BrokerNotFound|LockTimeout/))
    return new LogUnreachableError(`${at} does not answer: start it or set LACUNA_KAFKA_BROKERS (${error.message})`, { cause: error });
  return Array.isArray((error as { errors?: unknown }).errors) ? refusal(error as Error & { errors: readonly Error[] }, at) : error;
}

const CERTIFICATE = /certificate|altnames/i;

/** Several answers in one error, which by itself says nothing. */
function refusal(error: Error & { errors: readonly Error[] }, at: string): Error {
  const reasons = [...new Set(error.errors.map(({ message }) => message))].slice(0, REASONS_MAX);
  return new Error(`${at} refuses: ${reasons.join('; ') || error.message}`, { cause: error });
}

/** Kafka's answer is of the kind that another answer follows soon. Absence of the broker is not: kafkajs has tried that already. */
export function isRetriable(error: unknown): boolean {
  const { name, retriable } = (error ?? {}) as { name?: unknown; retriable?: unknown };
  return name === 'KafkaJSProtocolError' && retriable === true;
}

/** Protocol errors carry Kafka's own code, also inside of "retries exceeded". */
export function protocolTypeOf(error: unknown): string | null {
  let current = error as { type?: unknown; cause?: unknown; originalError?: unknown } | null | undefined;
  for (let depth = 0; depth < CAUSES_MAX && current; depth += 1) {
    if (typeof current.type === 'string') return current.type;
    current = (current.cause ?? current.originalError) as typeof current;
  }
  return null;
}

const CAUSES_MAX = 5;
const REASONS_MAX = 5;

function hasName(error: Error, pattern: RegExp): boolean {
  let current: unknown = error;
  for (let depth = 0; depth < CAUSES_MAX && current instanceof Error; depth += 1) {
    if (pattern.test(current.name)) return true;
    current = current.cause;
  }
  return false;
}

/** pino, the same for every service: its name on each line, and nothing that opens a door. */
import type { IncomingMessage } from 'node:http';
import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import type { Options } from 'pino-http';
import type { ServiceConfig } from './service-config.js';

/** Member names whose values are never logged, at the first and second level. */
const SECRET_MEMBERS = ['authorization', 'cookie', 'secret', 'token', 'password', 'apiKey', 'serviceToken', 'webhookSecret', 'databaseUrl'];

export function serviceLogger(
  config: Pick<ServiceConfig, 'service' | 'logLevel' | 'runId'>,
  destination: DestinationStream = pino.destination(1),
): Logger {
  const options = {
    level: config.logLevel,
    base: { service: config.service, ...(config.runId ? { runId: config.runId } : {}) },
    timestamp: stdTimeFunctions.isoTime,
    redact: { paths: SECRET_MEMBERS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[hidden]' },
  };
  return pino(options, destination);
}

/** One line per request: at `debug` when it went well. Of a request only method and path are kept. */
export function requestLogging(logger: Logger): Options {
  return {
    logger,
    autoLogging: { ignore: (request) => /^\/(healthz|readyz|metrics)\b/.test(request.url ?? '') },
    customLogLevel: (_request, response, error) => (error || response.statusCode >= 500 ? 'warn' : 'debug'),
    serializers: {
      req: (request: { method: string; url: string; raw?: IncomingMessage }) => ({
        method: request.method,
        path: request.url.split('?')[0],
        ...traceOf(request.raw),
      }),
      res: (response: { statusCode: number }) => ({ statusCode: response.statusCode }),
    },
  };
}

function traceOf(request: IncomingMessage | undefined): { traceparent?: string } {
  const traceparent = request?.headers.traceparent;
  return typeof traceparent === 'string' ? { traceparent } : {};
}

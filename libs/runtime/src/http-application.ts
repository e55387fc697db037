/** The HTTP side of a service: body limits, safe headers, problems. */
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import { problem } from './problem-details.js';
import { ProblemFilter } from './problem-filter.js';
import type { ServiceConfig } from './service-config.js';
import { requestLogging } from './service-logger.js';
import { StartError } from './start-error.js';

const BODY_BYTES_MAX = 262_144;
const CONNECTIONS_CLOSE_AFTER_MS = 5_000;

export function setUpHttp(app: NestExpressApplication, logger: Logger): void {
  app.disable('x-powered-by');
  app.use(pinoHttp(requestLogging(logger)));
  app.useBodyParser('json', { limit: BODY_BYTES_MAX, type: ['application/json', 'application/*+json'] });
  app.use(nameLimit);
  app.use(safeHeaders);
  app.useGlobalFilters(new ProblemFilter(logger));
}

/** @throws StartError when the address cannot be had. */
export async function listen(
  app: NestExpressApplication,
  { httpHost, httpPort }: Pick<ServiceConfig, 'httpHost' | 'httpPort'>,
): Promise<void> {
  try {
    await app.listen(httpPort, httpHost);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new StartError(`${httpHost}:${httpPort} is in use: set LACUNA_HTTP_PORT to a free port, or 0`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EACCES')
      throw new StartError(`${httpHost}:${httpPort} cannot be listened on (${code}): set LACUNA_HTTP_HOST and LACUNA_HTTP_PORT`);
    throw error;
  }
}

/** Closes the application; connections that stay open, such as event streams, are cut after a grace time. */
export async function closeHttp(app: NestExpressApplication): Promise<void> {
  const server = app.getHttpServer();
  const cut = setTimeout(() => server.closeAllConnections(), CONNECTIONS_CLOSE_AFTER_MS);
  try {
    await app.close();
  } finally {
    clearTimeout(cut);
  }
}

/** Where it listens. */
export function urlOf(app: NestExpressApplication, host: string): string {
  const address = app.getHttpServer().address();
  if (address === null || typeof address === 'string') throw new Error('the HTTP server has no address');
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${address.port}`;
}

/** Whoever sent too much is told how much it may be. */
function nameLimit(error: unknown, _request: Request, _response: Response, next: NextFunction): void {
  const isTooLarge = (error as { type?: unknown } | null)?.type === 'entity.too.large';
  next(isTooLarge ? problem(413, 'payload-too-large', 'The body is too large', `A body has at most ${BODY_BYTES_MAX} bytes.`) : error);
}

function safeHeaders(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('X-Frame-Options', 'DENY');
  next();
}

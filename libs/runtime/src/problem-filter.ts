/** Turns whatever a request ended with into application/problem+json. What is unexpected is logged and never shown. */
import { STATUS_CODES } from 'node:http';
import { Catch, HttpException, NotFoundException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { allowedMethods } from './allowed-methods.js';
import { NOT_READY, type ProblemDetails } from './problem-details.js';
import { isOutage } from './outage.js';

const OUTAGE_RETRY_AFTER_SECONDS = 2;

@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const details = this.#details(error, request, response);
    // That a service is not ready is told by who asks (readyz), once per change.
    if (details.status >= 500 && details.type !== NOT_READY) this.logger.error({ err: error, path: request.path }, details.title);
    if (response.headersSent) return void response.destroy();
    if (details.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(details.retryAfterSeconds));
    response
      .status(details.status)
      .type('application/problem+json')
      .send(JSON.stringify({ ...details, instance: request.path }));
  }

  #details(error: unknown, request: Request, response: Response): ProblemDetails {
    if (error instanceof NotFoundException && isRouterMiss(error)) return missing(request, response);
    if (error instanceof HttpException) return fromHttpException(error);
    if (isOutage(error)) return outage();
    return of(500, 'internal', 'The service failed', 'It is logged. Try again later.');
  }
}

function of(status: number, code: string, title: string, detail?: string): ProblemDetails & { code: string } {
  return { type: `urn:lacuna:problem:${code}`, title, status, ...(detail ? { detail } : {}), code };
}

function fromHttpException(error: HttpException): ProblemDetails {
  const body = error.getResponse();
  if (typeof body === 'object' && 'type' in body && 'title' in body) return { ...(body as ProblemDetails), status: error.getStatus() };
  const status = error.getStatus();
  const title = STATUS_CODES[status] ?? 'Error';
  const message = typeof body === 'string' ? body : (body as { message?: unknown }).message;
  const detail = Array.isArray(message) ? message.join('; ') : typeof message === 'string' ? message : undefined;
  return of(status, title.toLowerCase().replaceAll(/[^a-z]+/g, '-'), title, detail === title ? undefined : detail);
}

/** What Nest throws where no route matched; a handler's own 404 has another text. */
function isRouterMiss(error: NotFoundException): boolean {
  return /^Cannot [A-Z]+ \//.test(error.message);
}

function missing(request: Request, response: Response): ProblemDetails {
  const allowed = allowedMethods(request.app, request.path);
  if (allowed.length === 0) return of(404, 'not-found', 'There is nothing here');
  response.setHeader('Allow', allowed.join(', '));
  return of(405, 'method-not-allowed', 'This method is not offered here', `Use ${allowed.join(' or ')}.`);
}

function outage(): ProblemDetails {
  return {
    ...of(
      503,
      'unavailable',
      'Not available now',
      'The database or the event log does not answer. Nothing was changed that you were told of.',
    ),
    retryAfterSeconds: OUTAGE_RETRY_AFTER_SECONDS,
  };
}

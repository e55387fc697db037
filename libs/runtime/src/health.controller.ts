import { Controller, Get, Header, Inject } from '@nestjs/common';
import { ServiceMetrics } from './metrics.js';
import { problem } from './problem-details.js';
import { Readiness } from './readiness.js';
import { METRICS, READINESS } from './tokens.js';

const RETRY_AFTER_SECONDS = 2;

/** For orchestrators and Prometheus. `healthz` says that the process lives, `readyz` that it can do its work. */
@Controller()
export class HealthController {
  constructor(
    @Inject(READINESS) private readonly readiness: Readiness,
    @Inject(METRICS) private readonly metrics: ServiceMetrics,
  ) {}

  @Get('healthz')
  healthz(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('readyz')
  async readyz(): Promise<{ status: 'ok' }> {
    const unready = await this.readiness.problems();
    if (unready.length === 0) return { status: 'ok' };
    const errors = unready.map(({ name, detail }) => ({ parameter: name, detail }));
    const detail = errors.map((error) => `${error.parameter}: ${error.detail}`).join('; ');
    throw problem(503, 'not-ready', 'The service is not ready', detail, { errors, retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  @Get('metrics')
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  scrape(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}

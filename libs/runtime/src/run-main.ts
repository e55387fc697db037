/** A service as the main program of a process. */
import { ConfigError } from './config-value.js';
import { isOutage } from './outage.js';
import { loadConfig } from './service-config.js';
import type { RunningService, ServiceDefinition } from './service-definition.js';
import { StartError } from './start-error.js';
import { startService } from './start-service.js';
import { METRICS } from './tokens.js';
import type { ServiceMetrics } from './metrics.js';

/**
 * Runs until SIGINT or SIGTERM, then stops and exits with 0; a second signal exits at once. A service that cannot start says why in one
 * line and exits with 1; so does one whose consumer cannot go on.
 */
export async function runMain(definition: ServiceDefinition): Promise<void> {
  const starting = begin(definition);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void onSignal(definition, starting));
  try {
    const running = await starting;
    running.app.get<ServiceMetrics>(METRICS).collectProcess();
  } catch (error) {
    if (!isEnding) exit(1, definition, error);
  }
}

let isEnding = false;

async function begin(definition: ServiceDefinition): Promise<RunningService> {
  let running: RunningService | null = null;
  const onFatal = (error: Error) => void end(definition, running, error);
  running = await startService(definition, loadConfig(definition.name), { onFatal });
  return running;
}

async function onSignal(definition: ServiceDefinition, starting: Promise<RunningService>): Promise<void> {
  if (isEnding) process.exit(130);
  isEnding = true;
  try {
    await (await starting).stop();
    process.exit(0);
  } catch (error) {
    exit(1, definition, error);
  }
}

async function end(definition: ServiceDefinition, running: RunningService | null, cause: Error): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  await running?.stop().catch(() => undefined);
  exit(1, definition, cause);
}

function exit(code: number, { name }: ServiceDefinition, error: unknown): never {
  const isExpected = error instanceof ConfigError || error instanceof StartError || isOutage(error);
  const said = error instanceof Error ? (isExpected ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(`lacuna ${name}: ${said}\n`);
  process.exit(code);
}

import { describe, expect, it } from 'vitest';
import { serviceLogger } from './service-logger.js';

describe('the logger', () => {
  it('names the service and the run, and hides what opens a door; fails when a token reaches the logs', () => {
    const lines: string[] = [];
    const logger = serviceLogger({ service: 'verdict', logLevel: 'info', runId: 'run-7' }, { write: (line) => void lines.push(line) });
    logger.info(
      { headers: { authorization: 'Bearer s3cret' }, token: 's3cret', config: { webhookSecret: 's3cret', password: 's3cret' } },
      'hello',
    );
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ service: 'verdict', runId: 'run-7', msg: 'hello', token: '[hidden]' });
    expect(lines.join('')).not.toContain('s3cret');
  });
});

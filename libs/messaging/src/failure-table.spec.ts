import { InvalidEventError } from '@lacuna/events';
import { describe, expect, it } from 'vitest';
import { ConsumerStoppedError, FencedError, PositionOutsideLogError, PublishError, SimulatedCrash } from './delivery-error.js';
import { actionFor, codeOf } from './failure-table.js';

const withCode = (code: string) => Object.assign(new Error(code), { code });

describe('the failure table', () => {
  it.each([
    ['a deadlock', withCode('40P01'), 'retry'],
    ['a serialization failure', withCode('40001'), 'retry'],
    ['a lock timeout', withCode('55P03'), 'retry'],
    ['a server that shuts down', withCode('57P01'), 'retry'],
    ['a server that crashed', withCode('57P02'), 'retry'],
    ['a server that starts', withCode('57P03'), 'retry'],
    ['a cancelled statement', withCode('57014'), 'retry'],
    ['a transaction out of time', withCode('25P04'), 'retry'],
    ['a broken connection', withCode('08006'), 'retry'],
    ['a full disk', withCode('53100'), 'retry'],
    ['a refused connection', withCode('ECONNREFUSED'), 'retry'],
    ['a connection that ends in a statement', new Error('Connection terminated unexpectedly'), 'retry'],
    ['a deadlock that TypeORM wraps', new Error('QueryFailedError', { cause: withCode('40P01') }), 'retry'],
    ['events that the log did not take, whatever the cause', new PublishError(new TypeError('x')), 'retry'],
    ['a broken constraint', withCode('23505'), 'dead-letter'],
    ['a value that does not fit', withCode('22003'), 'dead-letter'],
    ['a bug on one message', new TypeError('undefined is not a function'), 'dead-letter'],
    ['an event of ours that is invalid', new InvalidEventError('x'), 'dead-letter'],
    ['something thrown that is no error', 'text', 'dead-letter'],
    ['a missing table', withCode('42P01'), 'stop'],
    ['a missing privilege or a tenant mixed up', withCode('42501'), 'stop'],
    ['another owner', new FencedError('x'), 'stop'],
    ['a position outside the log', new PositionOutsideLogError('x'), 'stop'],
    ['a simulated crash', new SimulatedCrash('x'), 'stop'],
    ['what was stopped already', new ConsumerStoppedError('x', { cause: withCode('40P01') }), 'stop'],
  ])('for %s says what a batch must do', (_what, error, action) => {
    expect(actionFor(error)).toBe(action);
  });

  it('looks for a code only so deep: a cycle of causes ends', () => {
    const cycle = new Error('a') as Error & { cause: unknown };
    cycle.cause = cycle;
    expect(codeOf(cycle)).toBeNull();
  });
});

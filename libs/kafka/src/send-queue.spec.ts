import type { EncodedEvent } from '@lacuna/events';
import { describe, expect, it } from 'vitest';
import { message } from '../test/test-kafka.js';
import { MessageTooLargeError } from './kafka-errors.js';
import { bytesOf, SendQueue, sendBounds, type SendBounds } from './send-queue.js';

const bounds: SendBounds = { ...sendBounds, lingerMs: 1 };
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => message('t', 'k', String(from + index)));
const textsOf = (messages: readonly EncodedEvent[]) => messages.map(({ value }) => String(value));

/** A broker that can be told to fail, and that sees whether two requests meet. */
class Broker {
  readonly requests: string[][] = [];
  failWith: (texts: readonly string[]) => Error | null = () => null;
  #inFlight = 0;
  inFlightMax = 0;

  readonly send = async (messages: readonly EncodedEvent[]): Promise<void> => {
    this.#inFlight += 1;
    this.inFlightMax = Math.max(this.inFlightMax, this.#inFlight);
    await new Promise((resolve) => setTimeout(resolve, 2));
    this.#inFlight -= 1;
    const error = this.failWith(textsOf(messages));
    if (error) throw error;
    this.requests.push(textsOf(messages));
  };
}

describe('a send queue', () => {
  it('gathers what is published at the same time into one request; fails when each call costs a round trip', async () => {
    const broker = new Broker();
    const queue = new SendQueue(broker.send, bounds);
    await Promise.all([queue.publish(numbers(0, 2)), queue.publish(numbers(2, 3)), queue.publish(numbers(3, 5))]);
    expect(broker.requests).toEqual([['0', '1', '2', '3', '4']]);
  });

  it('has one request in flight and keeps the order of the calls (Q1); fails when a later request overtakes an earlier one', async () => {
    const broker = new Broker();
    const queue = new SendQueue(broker.send, { ...bounds, messagesMax: 7 });
    await Promise.all(Array.from({ length: 20 }, (_, call) => queue.publish(numbers(call * 5, call * 5 + 5))));
    expect(broker.inFlightMax).toBe(1);
    expect(broker.requests.flat()).toEqual(textsOf(numbers(0, 100)));
    expect(Math.max(...broker.requests.map(({ length }) => length))).toBe(7);
  });

  it('cuts by bytes, and sends a larger message alone (Q3); fails when a request is over what the broker takes', async () => {
    const broker = new Broker();
    const small = message('t', 'k', 'x'.repeat(100));
    const large = message('t', 'k', 'y'.repeat(1_000));
    const queue = new SendQueue(broker.send, { ...bounds, bytesMax: 2 * bytesOf(small) });
    await queue.publish([small, small, small, large, small]);
    expect(broker.requests.map((texts) => texts.map((text) => text.length))).toEqual([[100, 100], [100], [1_000], [100]]);
  });

  it('sends nothing of a call behind its failed request, and goes on with the next call (Q2); fails when order breaks over a failure', async () => {
    const broker = new Broker();
    broker.failWith = (texts) => (texts.includes('3') ? new Error('away') : null);
    const queue = new SendQueue(broker.send, { ...bounds, messagesMax: 3 });
    const failing = queue.publish(numbers(0, 9));
    const next = queue.publish(numbers(20, 22));
    await expect(failing).rejects.toThrow('away');
    await next;
    expect(broker.requests).toEqual([
      ['0', '1', '2'],
      ['20', '21'],
    ]);
  });

  it('refuses a message over the limit before anything is sent (Q4); fails when the client crashes on it', async () => {
    const broker = new Broker();
    const queue = new SendQueue(broker.send, { ...bounds, messageBytesMax: 500 });
    const tooLarge = message('t', 'k', 'z'.repeat(500));
    await expect(queue.publish([...numbers(0, 1), tooLarge])).rejects.toBeInstanceOf(MessageTooLargeError);
    expect(broker.requests).toEqual([]);
  });

  it('fails only the call whose message the broker itself refuses as too large (Q4); fails when neighbours are refused with it', async () => {
    const broker = new Broker();
    const refusal = Object.assign(new Error('too large'), { type: 'MESSAGE_TOO_LARGE' });
    broker.failWith = (texts) => (texts.includes('2') ? refusal : null);
    const queue = new SendQueue(broker.send, bounds);
    const outcomes = await Promise.allSettled([queue.publish(numbers(0, 2)), queue.publish(numbers(2, 4)), queue.publish(numbers(4, 6))]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(broker.requests.flat()).toEqual(['0', '1', '4', '5']);
  });

  it('refuses more than the bound of waiting messages; fails when an absent broker fills the memory', async () => {
    const broker = new Broker();
    const queue = new SendQueue(broker.send, { ...bounds, waitingMax: 10 });
    const first = queue.publish(numbers(0, 10));
    await expect(queue.publish(numbers(10, 11))).rejects.toThrow('10 messages wait');
    await first;
    await queue.publish(numbers(10, 11));
  });
});

/**
 * Gathers what is published at the same time into few requests.
 *
 * Q1 One request in flight: order per key is the order in which `publish` was called, also over retries inside of a request.
 * Q2 A call's messages leave in its order; when a request fails, every call with a message in it is rejected and its rest never leaves.
 * Q3 A request holds at most `bytesMax` and `messagesMax`; only a single larger message goes alone.
 * Q4 A message that the log can never take fails its own call only.
 */
import type { EncodedEvent } from '@lacuna/events';
import { MessageTooLargeError, protocolTypeOf } from './kafka-errors.js';

export interface SendBounds {
  /** Wait for company when nothing is in flight. */
  readonly lingerMs: number;
  readonly bytesMax: number;
  readonly messagesMax: number;
  readonly messageBytesMax: number;
  /** Waiting messages; more are refused. */
  readonly waitingMax: number;
}

export const sendBounds: SendBounds = {
  lingerMs: 1,
  bytesMax: 900_000,
  messagesMax: 2_000,
  messageBytesMax: 1_000_000,
  waitingMax: 200_000,
};

type Send = (messages: readonly EncodedEvent[]) => Promise<void>;

/** One `publish`, with how far it is. */
interface Call {
  readonly messages: readonly EncodedEvent[];
  taken: number;
  acknowledged: number;
  failed: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface Piece {
  readonly call: Call;
  readonly messages: readonly EncodedEvent[];
}

export class SendQueue {
  readonly #calls: Call[] = [];
  #waiting = 0;
  #sending: Promise<void> | null = null;

  constructor(
    private readonly send: Send,
    private readonly bounds: SendBounds = sendBounds,
  ) {}

  /** Resolves when all are acknowledged. @throws MessageTooLargeError before any of the call's messages is sent. */
  async publish(messages: readonly EncodedEvent[]): Promise<void> {
    if (messages.length === 0) return;
    const { messageBytesMax, waitingMax } = this.bounds;
    for (const message of messages) {
      const bytes = bytesOf(message);
      if (bytes > messageBytesMax) throw new MessageTooLargeError(message.topic, bytes, messageBytesMax);
    }
    if (this.#waiting + messages.length > waitingMax) throw new Error(`${this.#waiting} messages wait for Kafka already: try again later`);
    this.#waiting += messages.length;
    await new Promise<void>((resolve, reject) => {
      this.#calls.push({ messages, taken: 0, acknowledged: 0, failed: false, resolve, reject });
      this.#sending ??= this.#sendAll();
    });
  }

  /** Resolves when nothing waits and nothing is in flight. */
  async idle(): Promise<void> {
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.bounds.lingerMs));
    while (this.#calls.length > 0) {
      const pieces = this.#take();
      if (pieces.length > 0) await this.#sendPieces(pieces);
    }
    this.#sending = null;
  }

  /** The next request: from the oldest calls, in order, within the bounds. */
  #take(): Piece[] {
    const pieces: Piece[] = [];
    let messagesLeft = this.bounds.messagesMax;
    let bytesLeft = this.bounds.bytesMax;
    while (this.#calls.length > 0 && messagesLeft > 0) {
      const call = this.#calls[0] as Call;
      const from = call.taken;
      while (!call.failed && call.taken < call.messages.length && messagesLeft > 0) {
        const bytes = bytesOf(call.messages[call.taken] as EncodedEvent);
        const isFirst = messagesLeft === this.bounds.messagesMax;
        if (bytes > bytesLeft && !isFirst) break;
        bytesLeft -= bytes;
        messagesLeft -= 1;
        call.taken += 1;
      }
      if (call.taken > from) pieces.push({ call, messages: call.messages.slice(from, call.taken) });
      if (!call.failed && call.taken < call.messages.length) break;
      this.#calls.shift();
    }
    return pieces;
  }

  async #sendPieces(pieces: readonly Piece[]): Promise<void> {
    try {
      await this.send(pieces.flatMap((piece) => piece.messages));
      for (const piece of pieces) this.#acknowledge(piece);
    } catch (error) {
      if (protocolTypeOf(error) === 'MESSAGE_TOO_LARGE') await this.#sendApart(pieces, error);
      else for (const { call } of pieces) this.#fail(call, error);
    }
  }

  /** The broker's own limit is lower than ours: halves are tried, down to the message that is at fault (Q4). */
  async #sendApart(pieces: readonly Piece[], error: unknown): Promise<void> {
    const [only] = pieces;
    if (pieces.length > 1) {
      const middle = pieces.length >> 1;
      await this.#sendPieces(pieces.slice(0, middle));
      await this.#sendPieces(pieces.slice(middle).filter(({ call }) => !call.failed));
    } else if (only && only.messages.length > 1) {
      const middle = only.messages.length >> 1;
      await this.#sendPieces([{ call: only.call, messages: only.messages.slice(0, middle) }]);
      if (!only.call.failed) await this.#sendPieces([{ call: only.call, messages: only.messages.slice(middle) }]);
    } else if (only) {
      const [message] = only.messages as [EncodedEvent];
      this.#fail(only.call, new MessageTooLargeError(message.topic, bytesOf(message), bytesOf(message) - 1, { cause: error }));
    }
  }

  #acknowledge({ call, messages }: Piece): void {
    call.acknowledged += messages.length;
    if (call.failed || call.acknowledged < call.messages.length) return;
    this.#waiting -= call.messages.length;
    call.resolve();
  }

  #fail(call: Call, error: unknown): void {
    if (call.failed) return;
    call.failed = true;
    this.#waiting -= call.messages.length;
    call.reject(error);
  }
}

const RECORD_OVERHEAD_BYTES = 64;

/** What the message takes in a record batch, at most. */
export function bytesOf({ key, value, headers }: EncodedEvent): number {
  let bytes = RECORD_OVERHEAD_BYTES + key.length + value.length;
  for (const [name, text] of Object.entries(headers)) bytes += 2 * 5 + Buffer.byteLength(name) + Buffer.byteLength(text);
  return bytes;
}

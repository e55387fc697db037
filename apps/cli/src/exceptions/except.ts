/** `lacuna except`: a person accepts the risk of a hold. */
import { canonicalJson, sha256Hex } from '@lacuna/receipts';
import type { Answer } from '../ask/answer.js';
import { answerText } from '../ask/answer-text.js';
import { namedPayload } from '../ask/payload.js';
import { showAnswer, type ShowOptions } from '../gateway/show-answer.js';
import type { Surroundings } from '../surroundings.js';

export interface ExceptOptions extends ShowOptions {
  readonly receiptHash: string;
  readonly payload: string;
  readonly reason: string;
  readonly lives?: number;
}

export async function except(questionId: string, options: ExceptOptions, surroundings: Surroundings): Promise<void> {
  const { receiptHash, payload, reason, lives } = options;
  const payloadHash = sha256Hex(canonicalJson(await namedPayload('--payload', payload)));
  const body = { receiptHash, payloadHash, reason, livesMs: lives === undefined ? undefined : lives * 1_000 };
  const path = `v1/questions/${encodeURIComponent(questionId)}/exceptions`;
  const call = { method: 'POST' as const, path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  await showAnswer(call, options, surroundings, (answer: Answer, colours) =>
    typeof answer.questionId === 'string' && Array.isArray(answer.reasons) ? answerText(answer, colours) : null,
  );
}

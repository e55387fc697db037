import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/api-keys.js';
import type { AnswerRow } from './answer-row.js';
import type { AnswerView } from './answer.dto.js';
import { ReadAnswers } from './read-answers.js';
import { WaitingRoom } from './waiting-room.js';

export const WAIT_SECONDS_MAX = 60;

/** An answer as soon as it is settled, or what is known when the time is over or the caller has gone. */
@Injectable()
export class WaitForAnswer {
  constructor(
    private readonly answers: ReadAnswers,
    private readonly room: WaitingRoom<AnswerRow>,
  ) {}

  async wait(
    who: Principal,
    questionId: string,
    waitSeconds: number,
    signal: AbortSignal,
  ): Promise<{ answer: AnswerView; settled: boolean }> {
    const now = await this.answers.one(who, questionId);
    if (now.settled || waitSeconds === 0) return now;
    const end = await this.room.wait(who.tenantId, questionId, waitSeconds * 1_000, signal);
    if (end.how === 'settled') return { answer: this.answers.show(who, end.found), settled: true };
    return end.how === 'aborted' ? now : this.answers.one(who, questionId);
  }
}

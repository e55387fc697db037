/** What a verdict asks of people. Pure. */
import type { CaseOpened, VerdictReached } from '@lacuna/events';
import { createHash } from 'node:crypto';

export type CaseJudgement =
  /** Nobody has to look. */
  | { readonly type: 'none' }
  /** Every reason heals by waiting: reruns come first, a case only when they are used up. */
  | { readonly type: 'hold-that-heals' }
  | { readonly type: 'case'; readonly opened: CaseOpened };

export function judgeVerdict(verdict: VerdictReached, now: Date): CaseJudgement {
  if (verdict.verdict === 'scoped-no-match') return { type: 'none' };
  if (verdict.verdict === 'evidence-hold' && verdict.healsByWaiting) return { type: 'hold-that-heals' };
  return { type: 'case', opened: caseOf(verdict, now) };
}

/** One case per generation: its id says the same at every repetition. */
export function caseOf(verdict: VerdictReached, now: Date): CaseOpened {
  const { tenantId, questionId, generation, registerName, owner, receiptId, statement } = verdict;
  const isMatch = verdict.verdict === 'match-review';
  return {
    tenantId,
    questionId,
    generation,
    caseId: caseIdOf(tenantId, questionId, `generation ${generation}`),
    subject: isMatch ? 'match-review' : 'evidence-hold',
    registerName,
    owner,
    reasons: verdict.reasons,
    records: isMatch ? verdict.matches : verdict.candidates,
    receiptId,
    statement,
    openedAt: now.toISOString(),
  };
}

export function caseIdOf(tenantId: string, questionId: string, subject: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([tenantId, questionId, subject]))
    .digest('hex');
  return `case_${digest.slice(0, 32)}`;
}

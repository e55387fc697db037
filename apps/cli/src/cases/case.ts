/** What the command line reads of the API's cases. */
import type { NamedRecord, NamedReason } from '../ask/answer.js';

export interface Case {
  readonly caseId: string;
  readonly state: string;
  readonly subject: string;
  readonly questionId: string;
  readonly generation: number;
  readonly register: string;
  readonly owner: string;
  readonly statement: string;
  readonly reasons: readonly NamedReason[];
  readonly records: readonly NamedRecord[];
  readonly receiptId: string | null;
  readonly openedAt: string;
  readonly closedAt: string | null;
  readonly outcome: string | null;
  readonly decision: {
    readonly decision: string;
    readonly principal: string;
    readonly note: string | null;
    readonly decidedAt: string;
  } | null;
}

export interface CaseList {
  readonly partial: boolean;
  readonly coverage: string;
  readonly advice: string;
  readonly items: readonly Case[];
}

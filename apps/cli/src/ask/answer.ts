/** What the command line reads of the API's answer. */
export interface Answer {
  readonly partial: boolean;
  readonly coverage: string;
  readonly from_clamped: boolean;
  readonly advice: string;
  readonly questionId: string;
  readonly generation: number;
  readonly state: string;
  readonly verdict: string | null;
  readonly statement: string | null;
  readonly reasons: readonly NamedReason[];
  readonly matches: readonly NamedRecord[];
  readonly candidates: readonly NamedRecord[];
  readonly unlisted: { readonly matches: number; readonly candidates: number };
  /** Of kind enumerate: how many match; null or absent where no number is claimed. */
  readonly count?: number | null;
  readonly asOf: string | null;
  readonly owner: string | null;
  readonly receiptId: string | null;
  readonly receiptHash?: string | null;
  readonly write: { readonly answer: string; readonly recordId: string | null; readonly reason: string | null } | null;
  readonly review?: { readonly decision: string; readonly caseId: string; readonly at: string } | null;
  readonly exception?: { readonly principal: string; readonly reason: string; readonly at: string } | null;
  readonly caseIds: readonly string[];
  readonly progress: { readonly attempts: number; readonly pages: number };
}

export interface NamedReason {
  readonly code: string;
  readonly source: string | null;
  readonly meaning: string;
}

export interface NamedRecord {
  readonly source: string;
  readonly recordId: string | null;
  readonly version: string | null;
  readonly status: string | null;
}

/** What the command line reads of the API's authorisations. */
export interface Authorisation {
  readonly authorisationId: string;
  readonly state: string;
  readonly policy: string;
  readonly questionId: string;
  readonly asker: string | null;
  readonly register: string | null;
  readonly target: string;
  readonly payload: Readonly<Record<string, unknown>> | null;
  readonly payloadHash: string;
  readonly requestedAt: string;
  readonly expiresAt: string;
  readonly decision: {
    readonly decision: string;
    readonly principal: string;
    readonly note: string | null;
    readonly decidedAt: string;
  } | null;
  readonly outcome: string | null;
  readonly advice: string;
}

export interface AuthorisationList {
  readonly partial: boolean;
  readonly coverage: string;
  readonly advice: string;
  readonly items: readonly Authorisation[];
}

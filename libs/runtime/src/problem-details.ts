/** Problems as RFC 9457 tells them: application/problem+json. */
import { HttpException } from '@nestjs/common';

export interface ProblemDetails {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly instance?: string;
  /** What to mend, with RFC 6901 pointers into the body. */
  readonly errors?: readonly { readonly pointer?: string; readonly parameter?: string; readonly detail: string }[];
  /** Also sent as the Retry-After header. */
  readonly retryAfterSeconds?: number;
}

export const NOT_READY = 'urn:lacuna:problem:not-ready';

/** To be thrown: the filter sends it. `code` makes the type, such as urn:lacuna:problem:not-found. */
export function problem(
  status: number,
  code: string,
  title: string,
  detail?: string,
  members: Partial<ProblemDetails> = {},
): HttpException {
  return new HttpException({ type: `urn:lacuna:problem:${code}`, title, status, detail, code, ...members }, status);
}

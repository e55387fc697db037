/** One thing to mend in a body, with the RFC 6901 pointer to it. */
export interface FieldProblem {
  readonly pointer: string;
  readonly detail: string;
}

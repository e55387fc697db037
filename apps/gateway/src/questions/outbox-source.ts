/** One outbox source per question: what is said of it over HTTP is published in the order in which it was committed. */
export function outboxSourceOf(tenantId: string, questionId: string): string {
  return `http:${tenantId}:${questionId}`;
}

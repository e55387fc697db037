import { ReceiptInput, SourceTraversal } from './receipt-payload.js';

/**
 * A second look, by whoever signs, at what the evidence core decided: the rules that a reader of one receipt can check without the events.
 * It never reaches a verdict; it finds the receipt that must not be signed.
 *
 * @returns what contradicts what, or null
 */
export function contradictionIn(receipt: ReceiptInput): string | null {
  const { verdict, question } = receipt;
  const countClaimed = verdict.count !== undefined;
  if (countClaimed && (question.kind !== 'enumerate' || verdict.partial)) return 'a count without a complete enumeration (V3)';
  if (verdict.verdict !== 'match-review' && verdict.matches.length > 0) return 'matches under another verdict than match-review (V3)';
  if (verdict.verdict === 'match-review') return verdict.matches.length > 0 ? null : 'match-review without a match';
  return verdict.verdict === 'evidence-hold' ? contradictionInHold(receipt) : contradictionInNoMatch(receipt);
}

function contradictionInHold({ verdict }: ReceiptInput): string | null {
  if (verdict.reasons.length === 0) return 'a hold without a reason';
  if (!verdict.owner) return 'a hold without an owner';
  return verdict.partial ? null : 'a hold that calls itself complete';
}

function contradictionInNoMatch({ method, boundary, traversal, verdict }: ReceiptInput): string | null {
  const deciding = method.sources.filter((source) => source.role === 'deciding').map(({ source }) => source);
  if (deciding.length === 0) return 'a no-match without a deciding source';
  for (const source of deciding) {
    const walks = traversal.sources.filter((walk) => walk.source === source);
    if (walks.length === 0) return `a no-match without a reading of ${source}`;
    if (walks.some((walk) => walk.stopReason !== 'end-signalled')) return `a no-match although ${source} did not signal its end (V1)`;
    if (walks.some((walk) => hasOpenDoubt(walk, traversal.acceptedDoubts))) return `a no-match although ${source} is in doubt (V2)`;
  }
  if (verdict.partial && traversal.acceptedDoubts.length === 0) return 'a no-match that calls itself partial';
  const seenInTime = boundary.asOf !== null && Date.parse(boundary.asOf) >= Date.parse(boundary.needsAsOf);
  return seenInTime ? null : 'a no-match whose asOf does not reach needsAsOf';
}

function hasOpenDoubt(walk: SourceTraversal, accepted: ReceiptInput['traversal']['acceptedDoubts']): boolean {
  return walk.doubts.some((code) => !accepted.some((doubt) => doubt.code === code && (doubt.source ?? walk.source) === walk.source));
}

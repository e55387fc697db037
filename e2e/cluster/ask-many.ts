/** Asks many questions, some side by side, and counts what came of them. */
import type { Answer, GatewayClient } from '@lacuna/embedded';
import type { AskedIdentifiers, PresentQuestion } from '@lacuna/sample-source';

export interface Outcome {
  readonly account: string;
  /** Null: it is absent. */
  readonly expectedRecordId: string | null;
  readonly answer: Answer;
}

export interface Tally {
  readonly asked: number;
  readonly foundRight: number;
  /** Present, and another record or none was named under match-review. */
  readonly foundWrong: number;
  readonly supportedNoMatch: number;
  /** Present, and called a no-match: the worst bug. */
  readonly unsupportedNoMatch: number;
  readonly falseMatch: number;
  readonly holds: number;
}

const SIDE_BY_SIDE = 24;
const WAIT_SECONDS = 60;

export async function askMany(
  client: GatewayClient,
  register: string,
  present: readonly PresentQuestion[],
  absent: readonly AskedIdentifiers[],
): Promise<Outcome[]> {
  const queue = [
    ...present.map((question) => ({ question, recordId: question.recordId })),
    ...absent.map((question) => ({ question, recordId: null })),
  ];
  const outcomes: Outcome[] = [];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { account, reference, instance } = next.question;
      const answer = await client.ask({ register, identifiers: { account, reference, instance }, waitSeconds: WAIT_SECONDS });
      outcomes.push({ account, expectedRecordId: next.recordId, answer });
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  return outcomes;
}

export function tally(outcomes: readonly Outcome[]): Tally {
  const count = (holds: (outcome: Outcome) => boolean) => outcomes.filter(holds).length;
  const named = ({ answer, expectedRecordId }: Outcome) => answer.matches.some(({ recordId }) => recordId === expectedRecordId);
  const is = (verdict: Answer['verdict']) => (outcome: Outcome) => outcome.answer.verdict === verdict;
  const present = ({ expectedRecordId }: Outcome) => expectedRecordId !== null;
  return {
    asked: outcomes.length,
    foundRight: count((one) => is('match-review')(one) && present(one) && named(one)),
    foundWrong: count((one) => is('match-review')(one) && present(one) && !named(one)),
    supportedNoMatch: count((one) => is('scoped-no-match')(one) && !present(one)),
    unsupportedNoMatch: count((one) => is('scoped-no-match')(one) && present(one)),
    falseMatch: count((one) => is('match-review')(one) && !present(one)),
    holds: count(is('evidence-hold')),
  };
}

export function printTally(title: string, { asked, ...counts }: Tally, say: (line: string) => void = console.log): void {
  say(
    `${title.padEnd(34)} ${String(asked).padStart(5)} asked  ${Object.entries(counts)
      .map(([name, value]) => `${name} ${value}`)
      .join('  ')}`,
  );
}

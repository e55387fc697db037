/**
 * The five demonstrations, against a running gateway: Postgres log or Kafka, one process or five. Keys carry the run's id, so that every run
 * shows the same outcomes.
 */
import type { AddedRequest, Fault } from '@lacuna/sample-source';
import type { Answer, GatewayClient } from './gateway-client.js';

export interface Demonstration {
  readonly number: number;
  readonly title: string;
  readonly answers: readonly Answer[];
  /** What was to be seen and was not; empty when the demonstration shows what it should. */
  readonly missed: readonly string[];
  /** Said beside the statement. */
  readonly notes: readonly string[];
}

export interface DemonstrationInput {
  /** Two askers of the same tenant. */
  readonly askers: readonly [GatewayClient, GatewayClient];
  /** Six digits: part of every key and account. */
  readonly runId: string;
  /** Adds rows to the sample table. */
  readonly addRequests: (rows: AddedRequest[]) => Promise<unknown>;
  /** Sets faults at the sample source; answers how to take them away. */
  readonly addFaults: (faults: Fault[]) => Promise<() => void> | (() => void);
  /** Resolves with the ids of the cases whose webhook arrived with a good signature, once `caseId` is among them; within a bound. */
  readonly webhookFor: (caseId: string) => Promise<boolean>;
}

const WAIT_SECONDS = 30;
/** More rows of the account than one page of 100 holds. */
const FILLER_ROWS = 120;

const expect = (checks: Readonly<Record<string, boolean>>): string[] =>
  Object.entries(checks).flatMap(([what, held]) => (held ? [] : [what]));

/** Runs them in order; each is answered as soon as it is over. */
export async function* demonstrate(input: DemonstrationInput): AsyncGenerator<Demonstration> {
  yield await matchOnPageTwo(input);
  yield await pageTwoTimesOut(input);
  yield await completeReadHasNoMatch(input);
  yield await twoAskersAtOnce(input);
  yield await silentIndex(input);
}

async function matchOnPageTwo({ askers, runId, addRequests }: DemonstrationInput): Promise<Demonstration> {
  const account = accountOf(runId, 1);
  const match = { ...requestOf(runId, 1, FILLER_ROWS + 1, account), reference: `DEMO-${runId}-1`, instance: 'eu-1' };
  await addRequests([...fillers(runId, 1, account), match]);
  const answer = await askers[0].ask({
    register: 'service-requests-http',
    identifiers: { account, reference: `demo ${runId}/1`, instance: 'EU-1' },
    waitSeconds: WAIT_SECONDS,
  });
  return {
    number: 1,
    title: 'The only match is on page two',
    answers: [answer],
    missed: expect({
      'the verdict match-review': answer.verdict === 'match-review',
      [`the record ${match.id}`]: answer.matches.some(({ recordId }) => recordId === match.id),
    }),
    notes: [`record ${match.id}, row ${FILLER_ROWS + 1} of the account, 100 rows a page; asked with another spelling`],
  };
}

async function pageTwoTimesOut({ askers, runId, addRequests, addFaults, webhookFor }: DemonstrationInput): Promise<Demonstration> {
  const account = accountOf(runId, 2);
  await addRequests(fillers(runId, 2, account));
  const removeFaults = await addFaults([{ kind: 'no-answer', match: { account, page: 2 } }]);
  const asked = { account, reference: `DEMO-${runId}-2`, instance: 'eu-1' };
  const first = await askers[0].ask({ register: 'service-requests-impatient', identifiers: asked, waitSeconds: WAIT_SECONDS });
  const answer = await untilCase(askers[0], first);
  removeFaults();
  const caseId = answer.caseIds.at(-1) ?? '';
  const announced = caseId !== '' && (await webhookFor(caseId));
  return {
    number: 2,
    title: 'Page two times out on every attempt and in both automatic reruns',
    answers: [answer],
    missed: expect({
      'the verdict evidence-hold': answer.verdict === 'evidence-hold',
      'the reason timed-out': answer.reasons.some(({ code }) => code === 'timed-out'),
      'a third generation': answer.generation === 3,
      'an owner': answer.owner !== null,
      'a case': caseId !== '',
      'its signed webhook': announced,
    }),
    notes: [
      `generation ${answer.generation}; case ${caseId}, owner ${answer.owner}; webhook ${announced ? 'received, signature verified' : 'missing'}`,
    ],
  };
}

async function completeReadHasNoMatch({ askers, runId }: DemonstrationInput): Promise<Demonstration> {
  const reference = `DEMO-${runId}-3`;
  const answer = await askers[0].ask({
    register: 'service-requests',
    identifiers: { account: accountOf(runId, 3), reference, instance: 'eu-1' },
    payload: { title: 'Demonstration 3', reference },
    waitSeconds: WAIT_SECONDS,
  });
  return {
    number: 3,
    title: 'A complete read has no match',
    answers: [answer],
    missed: expect({
      'the verdict scoped-no-match': answer.verdict === 'scoped-no-match',
      'a created record': answer.write?.answer === 'created',
    }),
    notes: [`write ${answer.write?.answer}: ${answer.write?.recordId}`],
  };
}

async function twoAskersAtOnce({ askers, runId }: DemonstrationInput): Promise<Demonstration> {
  const reference = `DEMO-${runId}-4`;
  const question = {
    register: 'service-requests',
    identifiers: { account: accountOf(runId, 4), reference, instance: 'eu-1' },
    payload: { title: 'Demonstration 4', reference },
    waitSeconds: WAIT_SECONDS,
  };
  const answers = await Promise.all(askers.map((asker) => asker.ask(question)));
  const created = answers.filter(({ write }) => write?.answer === 'created');
  const recordId = created[0]?.write?.recordId ?? null;
  const other = answers.find((answer) => answer !== created[0]);
  const named = other?.write?.answer === 'exists' ? other.write.recordId : (other?.matches[0]?.recordId ?? null);
  return {
    number: 4,
    title: 'A new key, asked by two askers at once',
    answers,
    missed: expect({
      'exactly one created record': created.length === 1,
      'that record for the other asker': recordId !== null && named === recordId,
    }),
    notes: [`one created ${recordId}; the other got it as ${other?.write?.answer === 'exists' ? 'exists' : other?.verdict}`],
  };
}

async function silentIndex({ askers, runId, addRequests, addFaults }: DemonstrationInput): Promise<Demonstration> {
  const account = accountOf(runId, 5);
  const match = { ...requestOf(runId, 5, 1, account), reference: `DEMO-${runId}-5`, instance: 'eu-1' };
  await addRequests([match]);
  const removeFaults = await addFaults([{ kind: 'silent-search', match: { path: 'search', account } }]);
  const answer = await askers[0].ask({
    register: 'service-requests',
    identifiers: { account, reference: match.reference, instance: 'eu-1' },
    waitSeconds: WAIT_SECONDS,
  });
  removeFaults();
  return {
    number: 5,
    title: 'An approximate index is silent, the exact lookup finds the record',
    answers: [answer],
    missed: expect({
      'the verdict match-review': answer.verdict === 'match-review',
      [`the record ${match.id} from the ledger`]: answer.matches.some(
        ({ source, recordId }) => source === 'ledger' && recordId === match.id,
      ),
    }),
    notes: [`record ${match.id}`],
  };
}

/** Reruns are asked for by themselves: follows the question until its case is open. */
async function untilCase(asker: GatewayClient, first: Answer): Promise<Answer> {
  let answer = first;
  for (let waits = 0; waits < 120 && !(answer.state === 'decided' && answer.caseIds.length > 0); waits++) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    answer = await asker.question(first.questionId);
  }
  return answer;
}

/** ACC- and six digits: the demonstration's, then five of the run's. */
const accountOf = (runId: string, demonstration: number): string => `ACC-${demonstration}${runId.slice(-5)}`;

const requestOf = (runId: string, demonstration: number, row: number, account: string): AddedRequest => ({
  id: `SR-D${runId}-${demonstration}-${String(row).padStart(4, '0')}`,
  account,
  reference: `FILLER-${runId}-${demonstration}-${row}`,
  instance: 'eu-1',
  status: 'open',
  title: `Demonstration ${demonstration}`,
});

const fillers = (runId: string, demonstration: number, account: string): AddedRequest[] =>
  Array.from({ length: FILLER_ROWS }, (_, index) => requestOf(runId, demonstration, index + 1, account));

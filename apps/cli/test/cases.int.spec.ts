/** `lacuna cases`, `case`, `decide` and `registers` against a gateway as it runs, on a Postgres log of its own. */
import { aCaseOpened, aMatchReview, anAuthorisationRequested, aNamedRecord } from '@lacuna/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aQuestion, encoded, events, startGateway, topics, type RunningGateway } from '../../gateway/test/running-gateway.js';
import { runLacuna } from './run-lacuna.js';

let gateway: RunningGateway;
let env: Record<string, string>;
let authorization: { Authorization: string };

beforeAll(async () => {
  gateway = await startGateway();
  authorization = await gateway.keyOf('t1');
  env = { LACUNA_URL: gateway.url, LACUNA_API_KEY: authorization.Authorization.replace('Bearer ', '') };
});
afterAll(() => gateway?.stop());

async function aMatchCase() {
  const { body } = await gateway.api.post('/v1/questions').set(authorization).send(aQuestion()).expect(202);
  const of = { tenantId: 't1', questionId: body.questionId as string };
  const records = [aNamedRecord()];
  const opened = aCaseOpened({ ...of, subject: 'match-review', records, reasons: [] });
  await gateway.publish(encoded(events.verdictReached, aMatchReview({ ...of, matches: records })), encoded(events.caseOpened, opened));
  return opened;
}

describe('lacuna cases', () => {
  it('lists open cases, shows one and decides it; fails when a person needs curl for it', async () => {
    const { caseId, records } = await aMatchCase();
    const listed = await runLacuna(['cases'], env);
    expect(listed).toMatchObject({ exitCode: 0, err: '' });
    expect(listed.out).toMatch(new RegExp(`${caseId}  open  match-review`));
    const shown = await runLacuna(['case', caseId], env);
    expect(shown.out).toContain(records[0]?.recordId);
    expect(shown.out).toContain(`next: lacuna decide ${caseId} same|different|rerun`);
    const decided = await runLacuna(['decide', caseId, 'different', '--note', 'another site'], env);
    expect(decided).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/decision: different by ann, .*: another site\nnext: the question/),
    });
    const reruns = (await gateway.published(topics.questions)).filter(({ type }) => type === events.questionRerun.type);
    expect(reruns).toHaveLength(1);
    const otherwise = await runLacuna(['decide', caseId, 'same'], env);
    expect(otherwise).toMatchObject({ exitCode: 1, out: '', err: expect.stringMatching(/was decided as "different".*\(HTTP 409\)/) });
  });

  it.each([['cases', '--all'], ['registers']])("prints the API's answer unchanged with --json: %s", async (...args) => {
    const ran = await runLacuna([...args, '--json'], env);
    const { text } = await gateway.api
      .get(args[0] === 'cases' ? '/v1/cases?limit=200' : '/v1/registers')
      .set(authorization)
      .expect(200);
    expect(ran.out).toBe(`${text}\n`);
  });

  it('says in one line that a case is unknown', async () => {
    const ran = await runLacuna(['case', 'case_none'], env);
    expect(ran).toEqual({ exitCode: 1, out: '', err: expect.stringMatching(/No case case_none.*\(HTTP 404\)\n$/) });
  });
});

describe('lacuna registers', () => {
  it('names each register with the identifiers to ask with', async () => {
    const { out } = await runLacuna(['registers'], env);
    expect(out).toMatch(/^1 registers\nservice-requests {2}version 1, owner Intake desk\n/);
    expect(out).toContain('account=...  scope  form ACC-[0-9]{6}');
    expect(out).toContain('creates in service-request, policy auto');
  });
});

describe('lacuna authorisations', () => {
  it('lists what waits, shows the payload and decides on its hash; fails when a person needs curl for it', async () => {
    const approver = await gateway.keyOf('t1', ['approver'], 'chief');
    const asChief = { ...env, LACUNA_API_KEY: approver.Authorization.replace('Bearer ', '') };
    const question = aQuestion({ intent: { kind: 'create', payload: { subject: 'lamp broken' } } });
    const { body } = await gateway.api.post('/v1/questions').set(authorization).send(question).expect(202);
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const requested = anAuthorisationRequested({ tenantId: 't1', questionId: body.questionId, expiresAt });
    await gateway.publish(encoded(events.authorisationRequested, requested));
    expect((await runLacuna(['authorisations'], asChief)).out).toContain(`${requested.authorisationId}  open  manual`);
    const shown = await runLacuna(['authorisation', requested.authorisationId], asChief);
    expect(shown.out).toContain('{"subject":"lamp broken"}');
    const hash = /--payload-hash ([0-9a-f]{64})/.exec(shown.out)?.[1] ?? '';
    const decided = await runLacuna(['authorise', requested.authorisationId, 'approve', '--payload-hash', hash], asChief);
    expect(decided).toMatchObject({ exitCode: 0, out: expect.stringContaining('decision: approved by chief') });
    expect(await runLacuna(['authorise', requested.authorisationId, 'approve'], asChief)).toMatchObject({ exitCode: 2 });
  });
});

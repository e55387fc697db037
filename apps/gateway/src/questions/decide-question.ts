/** Whether a question can be asked, and what is then asked: a pure function of the request, the register and the clock. */
import { checkIdentifiers, type Register } from '@lacuna/evidence';
import type { QuestionAsked, ReadBudget } from '@lacuna/events';
import { canonicalJson, sha256Hex } from '@lacuna/receipts';
import { PAYLOAD_BYTES_MAX, type AskQuestionBody, type BudgetBody } from './ask-question.body.js';
import type { FieldProblem } from '../http/field-problem.js';

export interface Asking {
  readonly tenantId: string;
  readonly principal: string;
  readonly questionId: string;
  readonly askedAt: Date;
  readonly body: AskQuestionBody;
}

export type QuestionDecision =
  { readonly ok: true; readonly question: QuestionAsked } | { readonly ok: false; readonly problems: readonly FieldProblem[] };

export function decideQuestion(asking: Asking, register: Register): QuestionDecision {
  const { body } = asking;
  const problems = [
    ...identifierProblems(body, register),
    ...intentProblems(body, register),
    ...budgetProblems(body.budget, register.budget),
    ...needsAsOfProblems(body.needsAsOf, asking.askedAt),
  ];
  return problems.length > 0 ? { ok: false, problems } : { ok: true, question: questionOf(asking, register) };
}

function questionOf({ tenantId, principal, questionId, askedAt, body }: Asking, register: Register): QuestionAsked {
  const payload = body.intent?.payload ?? null;
  return {
    tenantId,
    questionId,
    registerName: register.name,
    registerHash: register.hash,
    kind: body.kind,
    identifiers: body.identifiers.map(({ name, value, provenance }) => ({ name, value, provenance })),
    principal,
    budget: budgetOf(body.budget, register.budget),
    intent: { kind: body.intent?.kind ?? 'none', payload, payloadHash: payload && sha256Hex(canonicalJson(payload)) },
    askedAt: askedAt.toISOString(),
    needsAsOf: new Date(body.needsAsOf ?? askedAt.getTime() - register.toleranceMs).toISOString(),
  };
}

function identifierProblems({ identifiers }: AskQuestionBody, register: Register): FieldProblem[] {
  return checkIdentifiers(register, identifiers).map(({ name, problem, reason }) => {
    const index = identifiers.findLastIndex((identifier) => identifier.name === name);
    const member = problem === 'unknown' || problem === 'duplicated' ? 'name' : 'value';
    return { pointer: index < 0 ? '/identifiers' : `/identifiers/${index}/${member}`, detail: `${name}: ${reason}` };
  });
}

function intentProblems({ intent, kind }: AskQuestionBody, register: Register): FieldProblem[] {
  if (!intent || intent.kind === 'none') {
    return intent?.payload ? [{ pointer: '/intent/payload', detail: 'intent "none" writes nothing: leave the payload out' }] : [];
  }
  if (kind !== 'exists') return [{ pointer: '/intent/kind', detail: `a question of kind "${kind}" never creates: ask "exists"` }];
  if (!register.target) return [{ pointer: '/intent/kind', detail: `register ${register.name} names no write target` }];
  if (!intent.payload) return [{ pointer: '/intent/payload', detail: 'intent "create" needs the record to create' }];
  const bytes = canonicalJson(intent.payload).byteLength;
  if (bytes <= PAYLOAD_BYTES_MAX) return [];
  return [{ pointer: '/intent/payload', detail: `${bytes} bytes of canonical JSON, at most ${PAYLOAD_BYTES_MAX}` }];
}

function budgetProblems(asked: BudgetBody | undefined, allowed: ReadBudget): FieldProblem[] {
  return budgetNames
    .filter((name) => (asked?.[name] ?? 0) > allowed[name])
    .map((name) => ({ pointer: `/budget/${name}`, detail: `the register allows ${allowed[name]}; a question may only lower it` }));
}

const budgetNames = ['pagesMax', 'recordsMax', 'bytesMax', 'elapsedMsMax'] as const;

function budgetOf(asked: BudgetBody | undefined, { pagesMax, recordsMax, bytesMax, elapsedMsMax }: ReadBudget): ReadBudget {
  return {
    pagesMax: asked?.pagesMax ?? pagesMax,
    recordsMax: asked?.recordsMax ?? recordsMax,
    bytesMax: asked?.bytesMax ?? bytesMax,
    elapsedMsMax: asked?.elapsedMsMax ?? elapsedMsMax,
  };
}

function needsAsOfProblems(needsAsOf: string | undefined, askedAt: Date): FieldProblem[] {
  if (needsAsOf === undefined || Date.parse(needsAsOf) <= askedAt.getTime()) return [];
  return [{ pointer: '/needsAsOf', detail: `lies in the future; it is ${askedAt.toISOString()} here` }];
}

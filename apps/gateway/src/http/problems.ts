/** Every refusal of gateway, as RFC 9457 says it: what is wrong, and what to do. */
import { problem } from '@lacuna/runtime';
import type { HttpException } from '@nestjs/common';
import type { FieldProblem } from './field-problem.js';

const PROBLEMS_MAX = 50;

/** The body is readable and says something that cannot be accepted; each problem has the pointer to what to mend. */
export function invalidFields(problems: readonly FieldProblem[]): HttpException {
  const errors = problems.slice(0, PROBLEMS_MAX);
  return problem(
    422,
    'invalid-request',
    'The request is not valid',
    errors.map(({ pointer, detail }) => `${pointer}: ${detail}`).join('; '),
    {
      errors,
    },
  );
}

export function invalidParameter(parameter: string, detail: string): HttpException {
  return problem(400, 'invalid-parameter', 'A parameter is not valid', `${parameter} ${detail}.`, { errors: [{ parameter, detail }] });
}

export function unknownRegister(name: string): HttpException {
  return problem(404, 'unknown-register', 'There is no such register', `No register is named "${name}": GET /v1/registers lists them.`);
}

export function unknownQuestion(questionId: string): HttpException {
  return problem(404, 'unknown-question', 'There is no such question', `No question ${questionId} was asked here.`);
}

export function unknownReceipt(receiptId: string): HttpException {
  return problem(404, 'unknown-receipt', 'There is no such receipt', `No receipt ${receiptId} is in this log.`);
}

export function unknownCase(caseId: string): HttpException {
  return problem(404, 'unknown-case', 'There is no such case', `No case ${caseId} was opened here.`);
}

export function unknownAuthorisation(authorisationId: string): HttpException {
  return problem(404, 'unknown-authorisation', 'There is no such authorisation', `No authorisation ${authorisationId} was asked for here.`);
}

/** Four-eyes. */
export function ownWrite(): HttpException {
  return problem(403, 'own-write', 'Somebody else must approve this', 'Under policy four-eyes the approver is not the one who asked.');
}

export function noPublicKey(): HttpException {
  return problem(
    404,
    'no-public-key',
    'The public key is not served here',
    'Set LACUNA_SIGNING_PUBLIC_KEY_FILE to the PEM file of the key.',
  );
}

/** Whether it exists is not known yet: the read model is behind the log. */
export function notYetRead(what: string): HttpException {
  return problem(503, 'not-yet-read', 'Not known yet', `The newest events are not read yet, so ${what} may exist. Ask again.`, {
    retryAfterSeconds: 1,
  });
}

export function conflict(detail: string): HttpException {
  return problem(409, 'conflict', 'It is decided already', detail);
}

export function keyReused(): HttpException {
  const detail = 'This Idempotency-Key was used with another body. Send the first body again, or use a new key.';
  return problem(422, 'idempotency-key-reused', 'The idempotency key stands for another request', detail);
}

export function unsupportedMediaType(sent: string | undefined): HttpException {
  return problem(415, 'unsupported-media-type', 'The body must be JSON', `Send Content-Type: application/json, not ${sent ?? 'none'}.`);
}

export function unauthenticated(): HttpException {
  return problem(401, 'unauthenticated', 'An API key is needed', 'Send Authorization: Bearer lk_... with a key that is known here.');
}

export function forbidden(needed: readonly string[]): HttpException {
  return problem(403, 'forbidden', 'The key does not allow this', `One of these roles is needed: ${needed.join(', ')}.`);
}

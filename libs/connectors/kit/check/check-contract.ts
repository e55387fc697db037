/**
 * Tries a contract on its live source, page by page, and says of each of its statements what was seen. It asks for at most `pagesMax` pages,
 * one of them a second time (never where that would skip a page), one record by its id, and one that cannot exist.
 */
import type { AskedIdentifier } from '@lacuna/evidence';
import type { AskedValues } from '../asked-values.js';
import { HttpReader } from '../http/http-reader.js';
import type { Answer } from '../http/answer.js';
import type { PassSoFar } from '../http/page-mapping.js';
import type { Clock, Egress, Secrets } from '../inputs.js';
import type { HttpConnect } from '../register/connect.js';
import type { DocumentSource, RegisterDocument } from '../register/register-document.js';
import type { PageResponse, ReadFailure, ReadOutcome, ReadRequest } from '../source-reader.js';
import { continuingSeen } from './continuing-seen.js';
import { endSeen } from './end-seen.js';
import { rowsSeen } from './rows-seen.js';
import type { SeenPage, SeenRead, StatementSeen } from './seen.js';
import { worthSeen } from './worth-seen.js';

export interface CheckInputs {
  readonly register: RegisterDocument;
  readonly source: DocumentSource & { readonly connect: HttpConnect };
  readonly identifiers: readonly Pick<AskedIdentifier, 'name' | 'value'>[];
  readonly secrets: Secrets;
  readonly egress: Egress;
  readonly clock: Clock;
  readonly pagesMax: number;
  readonly signal: AbortSignal;
}

export interface ContractCheck {
  readonly pages: number;
  readonly records: number;
  /** Why the read stopped: its end, the bound, or a reason of the catalogue with what is known of it. */
  readonly stopped: string;
  readonly statements: readonly StatementSeen[];
}

/** No source has it: it is long, and nobody would choose it. */
const NO_RECORD = 'lacuna-check-of-a-record-that-does-not-exist';

export const checkContract = async (inputs: CheckInputs): Promise<ContractCheck> => {
  const { register, source, identifiers } = inputs;
  const { connect } = source;
  const asked: AskedValues = Object.fromEntries(
    identifiers.map(({ name, value }) => [name, { value, personal: register.identifiers[name]?.personal === true }]),
  );
  const answers: { answer: Answer; pass: PassSoFar }[] = [];
  const reader = new HttpReader({ ...inputs, connect, asked, onAnswer: (answer, pass) => answers.push({ answer, pass }) });
  try {
    const opened = await reader.open();
    const read = opened.type === 'failure' ? nothingRead(opened) : await readAll(reader, inputs, answers);
    const sent = { query: new URL(read.pages[0]?.pass.firstUrl ?? 'http://none').searchParams, asked };
    return {
      pages: read.pages.length,
      records: read.pages.reduce((sum, { response }) => sum + (response?.rows.length ?? 0), 0),
      stopped: stoppedText(read.stopped),
      statements: [
        ...rowsSeen(source, connect, read, asked),
        ...continuingSeen(connect, read),
        ...endSeen(connect, read),
        ...worthSeen(source, connect, read, sent),
      ],
    };
  } finally {
    await reader.close();
  }
};

const nothingRead = (stopped: ReadFailure): SeenRead => ({ pages: [], stopped, repeated: null, byId: null });

const stoppedText = (stopped: SeenRead['stopped']): string => {
  if (typeof stopped === 'object') return `${stopped.reason}: ${stopped.detail}`;
  return {
    end: 'the end was signalled',
    bound: 'as many pages were read as were allowed',
    'no-continuation': 'nothing asks for a next page',
  }[stopped];
};

type Answers = { readonly answer: Answer; readonly pass: PassSoFar }[];

const readAll = async (reader: HttpReader, inputs: CheckInputs, answers: Answers): Promise<SeenRead> => {
  const pages: SeenPage[] = [];
  let stopped: SeenRead['stopped'] = 'bound';
  let cursor: string | null = null;
  const ask = (at: string | null): Promise<ReadOutcome> => reader.read(requestOf(inputs, at));
  for (let page = 1; page <= inputs.pagesMax; page += 1) {
    answers.length = 0;
    const outcome = await ask(cursor);
    const got = answers.at(-1);
    if (got !== undefined) pages.push({ ...got, response: outcome.type === 'page' ? outcome : null });
    if (outcome.type === 'failure') stopped = outcome;
    else if (outcome.observed.end === 'signalled') stopped = 'end';
    else if (outcome.next === null || outcome.observed.end === 'unclear') stopped = 'no-continuation';
    else cursor = outcome.next.cursor;
    if (outcome.type === 'failure' || stopped !== 'bound') break;
  }
  const repeated = await repeat(pages, inputs.source.connect, ask);
  return { pages, stopped, repeated, byId: await byIdOf(reader, pages, inputs) };
};

const requestOf = ({ source: { connect }, signal }: CheckInputs, cursor: string | null): ReadRequest => ({
  cursor,
  pass: 1,
  bytesMax: connect.responseBytesMax,
  signal,
});

/** The second page, after the walk: what it may spoil is read by then. */
const repeat = async (
  pages: readonly SeenPage[],
  { paging }: HttpConnect,
  ask: (cursor: string | null) => Promise<ReadOutcome>,
): Promise<SeenRead['repeated']> => {
  const [, second] = pages;
  if ((paging.kind !== 'cursor' && paging.kind !== 'url') || paging.replay === 'consuming' || !second?.response) return null;
  const again = await ask(second.pass.cursor);
  if (again.type === 'failure') return { page: 2, same: false, detail: `${again.reason}: ${again.detail}` };
  const idsOf = ({ rows }: PageResponse): string => JSON.stringify(rows.map(({ recordId }) => recordId));
  const same = idsOf(again) === idsOf(second.response);
  return { page: 2, same, detail: same ? 'the same records again' : 'other records' };
};

const byIdOf = async (reader: HttpReader, pages: readonly SeenPage[], { source, signal }: CheckInputs): Promise<SeenRead['byId']> => {
  if (source.connect.byId === undefined || pages.length === 0) return null;
  const known = pages.flatMap(({ response }) => response?.rows ?? [])[0]?.recordId;
  return {
    known: known === undefined ? null : await reader.readById(known, signal),
    absent: await reader.readById(NO_RECORD, signal),
  };
};

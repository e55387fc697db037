/** A contract in plain sentences, in the order in which it is written. */
import type { EndSignal, HttpConnect, HttpPaging } from '../connect.js';
import type { DocumentSource } from '../register-document.js';
import { sentValues } from '../sent-values.js';
import { anyOf, capital, placeText, sendText, shownPointer } from './place-text.js';
import { worthStatements } from './worth-statements.js';

export interface Statement {
  readonly about: 'reading' | 'rows' | 'continuing' | 'end' | 'worth';
  readonly text: string;
}

export const statementsOf = (source: DocumentSource): readonly Statement[] => {
  const { connect } = source;
  if (connect.type === 'postgres') return tableStatements(source, connect.table);
  return [
    ...readingStatements(source, connect),
    { about: 'rows', text: `The records are the list at ${shownPointer(connect.items)}; ${absentText(connect)}` },
    { about: 'rows', text: `A record’s id is ${[connect.record.id].flat().join(' and ')}${placesText(connect.record.fields)}.` },
    ...continuingText(connect.paging).map((text) => ({ about: 'continuing' as const, text })),
    ...connect.end.map((signal) => ({ about: 'end' as const, text: `It ends where ${endText(signal, connect)}.` })),
    ...(connect.end.length > 1 ? [{ about: 'end' as const, text: 'All of these must say the same, else the read holds.' }] : []),
    ...worthStatements(connect).map((text) => ({ about: 'worth' as const, text })),
  ];
};

const tableStatements = ({ method }: DocumentSource, { schema, name }: { schema: string; name: string }): readonly Statement[] => [
  { about: 'reading', text: `The table ${schema}.${name} is read by ${method}, in one snapshot.` },
  { about: 'end', text: 'It ends where the table ends: the snapshot is read whole.' },
];

const readingStatements = ({ method }: DocumentSource, connect: HttpConnect): readonly Statement[] => {
  const { request, open, auth } = connect;
  const asked = sentValues(request).flatMap(({ in: where, name, value }) =>
    'identifier' in value && where !== 'path' ? [`${sendText({ in: where, name })} carries ${value.identifier}`] : [],
  );
  const credential = auth.kind === 'none' ? 'without a credential' : `with a credential (${auth.kind})`;
  const texts = [
    ...(open === undefined ? [] : [`First ${open.method} ${open.path} is asked for ${Object.keys(open.take).join(', ')}.`]),
    ...(connect.confirm === undefined ? [] : [`Then ${connect.confirm.method} ${connect.confirm.path} is asked; it must succeed.`]),
    `It is read by ${method}: ${request.method} ${request.path}, ${credential}${request.graphql === undefined ? '' : ', as GraphQL'}.`,
    ...(asked.length === 0
      ? ['Nothing of the question is sent as a filter: everything is compared here.']
      : [`${capital(asked.join('; '))}.`]),
    ...(connect.state === undefined
      ? []
      : [`An answer counts only once ${placeText(connect.state.path)} is ${anyOf(connect.state.finished)}.`]),
  ];
  return texts.map((text) => ({ about: 'reading', text }));
};

const absentText = ({ itemsAbsent }: HttpConnect): string =>
  itemsAbsent === 'empty' ? 'without it there are none.' : 'an answer without it is no page.';

const placesText = (fields: Readonly<Record<string, string>>): string => {
  const places = Object.entries(fields).map(([name, pointer]) => `${name} is ${pointer}`);
  return places.length === 0 ? '' : `; ${places.join(', ')}`;
};

const NO_CURSOR = { absent: 'absent', null: 'null', empty: 'an empty text', false: 'false' } as const;

const continuingText = (paging: HttpPaging): readonly string[] => {
  if (paging.kind === 'none') return ['There is one answer and no further page.'];
  const size =
    paging.pageSize === undefined ? [] : [`${capital(sendText(paging.pageSize.send))} asks for ${paging.pageSize.size} records a page.`];
  if (paging.kind === 'page') return [`${capital(sendText(paging.send))} carries the page’s number, from ${paging.first}.`, ...size];
  if (paging.kind === 'offset') return [`${capital(sendText(paging.send))} carries the number of records before the page.`, ...size];
  const none = paging.noCursor.map((value) => NO_CURSOR[value]).join(' or ');
  const what = paging.kind === 'url' ? 'the URL of the next page' : `the next cursor, sent as ${sendText(paging.send)}`;
  const again = { replayable: 'may be asked for again', consuming: 'is never asked for again', unknown: 'is not asked for again' }[
    paging.replay
  ];
  return [
    `${capital(placeText(paging.next))} holds ${what}; there is none where it is ${none}.`,
    ...size,
    `A page whose answer was lost ${again}.`,
  ];
};

export const endText = (signal: EndSignal, { paging }: HttpConnect): string => {
  switch (signal.by) {
    case 'no-next-cursor':
      return paging.kind === 'url' ? 'no next URL is given' : 'no next cursor is given';
    case 'flag':
      return `${placeText(signal.path)} is ${anyOf(signal.ends)} (it goes on at ${anyOf(signal.continues)}; anything else holds${signal.optional ? '; left out it says nothing' : ''})`;
    case 'total':
      return 'as many records were read as the total says';
    case 'page-count':
      return `the page’s number reaches ${placeText(signal.path)}`;
    case 'reached':
      return `${placeText(signal.path)} reaches ${placeText(signal.target)}`;
    case 'present':
      return `${placeText(signal.path)} is there`;
    case 'no-value':
      return `${placeText(signal.path)} is ${signal.none.map((value) => NO_CURSOR[value]).join(' or ')}`;
    case 'unchanged-cursor':
      return `the cursor comes back unchanged${signal.whenEmpty ? ' with no records' : ''} (${signal.documentedAt})`;
    case 'single-answer':
      return `the one answer ends (${signal.documentedAt})`;
    case 'short-page':
      return `a page holds fewer records than asked for (${signal.documentedAt})`;
    case 'empty-page':
      return `a page holds no records (${signal.documentedAt})`;
  }
};

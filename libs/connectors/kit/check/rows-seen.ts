/** The list, its ids, the places of identifiers, and the filter. */
import { normalForm } from '@lacuna/evidence';
import type { AskedValues } from '../asked-values.js';
import { valueAt } from '../http/exact-json.js';
import type { HttpConnect } from '../register/connect.js';
import type { DocumentSource } from '../register/register-document.js';
import { identifiersSent } from '../register/predicate.js';
import { itemsOn, overlapOf, readPages, seen, type SeenRead, type StatementSeen } from './seen.js';

export const rowsSeen = (source: DocumentSource, connect: HttpConnect, read: SeenRead, asked: AskedValues): readonly StatementSeen[] => [
  listSeen(connect, read),
  idsSeen(connect, read),
  ...Object.entries(connect.record.fields).map(([name, pointer]) => fieldSeen(name, pointer, source, connect, read)),
  ...identifiersSent(connect).map((name) => filterSeen(name, source, read, asked)),
];

const listSeen = (connect: HttpConnect, read: SeenRead): StatementSeen => {
  const statement = `the records are the list at ${connect.items || 'the body itself'}`;
  const without = read.pages.findIndex((page) => itemsOn(page, connect) === null);
  if (read.pages.length === 0) return seen('/connect/items', statement, 'not-tried', 'no answer was read');
  if (without < 0) return seen('/connect/items', statement, 'true', `on ${read.pages.length} pages`);
  if (connect.itemsAbsent === 'empty')
    return seen('/connect/itemsAbsent', `${statement}, or left out when there are none`, 'true', `left out on page ${without + 1}`);
  return seen('/connect/items', statement, 'false', `page ${without + 1} has no list there`);
};

const idsSeen = ({ record, paging }: HttpConnect, read: SeenRead): StatementSeen => {
  const statement = `the id at ${record.id} is there, and no record comes twice`;
  const ids = readPages(read).flatMap(({ response }) => response.rows.map(({ recordId }) => recordId));
  const failed = typeof read.stopped === 'object' && read.stopped.reason === 'response-invalid' ? read.stopped.detail : null;
  if (failed !== null) return seen('/connect/record', statement, 'false', failed);
  if (ids.length === 0) return seen('/connect/record/id', statement, 'not-tried', 'no record was seen');
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice === undefined) return seen('/connect/record/id', statement, 'true', `${ids.length} records`);
  const allowed = overlapOf(paging) > 0 ? ', beyond the overlap that the contract says' : '';
  return seen('/connect/record/id', statement, 'false', `one record came twice${allowed}`);
};

const fieldSeen = (
  name: string,
  pointer: string,
  { optionalFields }: DocumentSource,
  connect: HttpConnect,
  read: SeenRead,
): StatementSeen => {
  const path = `/connect/record/fields/${name}`;
  const statement = `${name} stands at ${pointer}`;
  const items = read.pages.flatMap((page) => itemsOn(page, connect) ?? []);
  if (items.length === 0) return seen(path, statement, 'not-tried', 'no record was seen');
  const absent = items.filter((item) => valueAt(item, pointer) === undefined).length;
  if (absent === 0) return seen(path, statement, 'true', `in ${items.length} records`);
  if (optionalFields.includes(name) && absent < items.length)
    return seen(path, `${statement}, or is left out`, 'true', `left out of ${absent} of ${items.length} records`);
  return seen(path, statement, 'false', `left out of ${absent} of ${items.length} records`);
};

/** What comes back for another value shows that the filter is wider than it is said to be, or is not applied. */
const filterSeen = (name: string, { contract }: DocumentSource, read: SeenRead, asked: AskedValues): StatementSeen => {
  const comparison = contract.comparison[name];
  const path = `/comparison/${name}`;
  const statement = comparison === undefined ? `nothing is said of how ${name} is compared` : `${name} is compared by ${comparison.by}`;
  const value = asked[name]?.value;
  if (comparison === undefined || value === undefined)
    return seen(path, statement, 'not-tried', value === undefined ? 'it was not asked for' : 'say it under comparison');
  if (comparison.by !== 'equality' && comparison.by !== 'prefix' && comparison.by !== 'contains')
    return seen(path, statement, 'not-tried', 'no answer shows it');
  const form = (text: string): string => normalForm(comparison.normalise, text);
  const wanted = form(value);
  const values = readPages(read).flatMap(({ response }) => response.rows.flatMap((row) => row.values[name] ?? []));
  if (values.length === 0) return seen(path, statement, 'not-tried', 'no record with that field was seen');
  const fits = {
    equality: (text: string) => text === wanted,
    prefix: (text: string) => text.startsWith(wanted),
    contains: (text: string) => text.includes(wanted),
  };
  const others = values.filter((each) => !fits[comparison.by as keyof typeof fits](form(each))).length;
  if (others > 0)
    return seen(
      path,
      statement,
      'false',
      `${others} of ${values.length} records have another value: the filter was ignored, or compares otherwise`,
    );
  return seen(path, statement, 'not-tried', `all ${values.length} records fit; that none is left out, no answer shows`);
};

/** Parts of a contract that the reader does not carry out. Passing over one could end a read that has not ended, so none is asked. */
import type { AnswerFlag, EndSignal, HttpConnect, HttpPaging, Place, RequestValue } from '../register/connect.js';

const READ_ENDS: readonly EndSignal['by'][] = ['no-next-cursor', 'flag', 'total', 'single-answer', 'short-page', 'empty-page'];

const isPointer = (place: Place | undefined): boolean => place === undefined || typeof place === 'string';
const isAsked = (value: RequestValue): boolean => 'value' in value || 'identifier' in value;

/** The first such part; null where everything is read. */
export const notReadYet = (connect: HttpConnect): string | null => {
  const { request, paging, total } = connect;
  const parts: Readonly<Record<string, boolean>> = {
    method: request.method !== 'GET' || request.path.includes('{') || connect.open !== undefined || connect.close !== undefined,
    auth: connect.auth.kind !== 'none',
    request:
      !Object.values(request.query).every(isAsked) ||
      !Object.values(request.headers).every((value) => 'value' in value || 'secret' in value),
    format: connect.format !== 'json' || connect.unwrap !== undefined || connect.state !== undefined,
    paging: !isReadPaging(paging),
    end: connect.end.some((signal) => !READ_ENDS.includes(signal.by) || (signal.by === 'flag' && !isPointer(signal.path))),
    total: total !== undefined && !isReadTotal(total),
    caps: connect.caps.length > 0,
    snapshot: !isPointer(connect.snapshot),
    order: connect.order !== undefined || connect.watermark !== undefined,
    flags: !connect.flags.every(isReadFlag),
    errors: connect.errors.length > 0,
    empty: connect.itemsAbsent === 'empty' || connect.noContent === 'empty',
    retries: connect.retries.retriesMax > 0 || connect.rateLimit !== undefined,
  };
  return Object.keys(parts).find((part) => parts[part]) ?? null;
};

const isReadPaging = (paging: HttpPaging): boolean => {
  if (paging.kind === 'none') return true;
  if (paging.kind === 'url' || paging.send.in !== 'query') return false;
  if (paging.pageSize === undefined || paging.pageSize.send.in !== 'query' || paging.pageSize.echo !== undefined) return false;
  if (paging.kind === 'page') return true;
  if (paging.overlap > 0) return false;
  if (paging.kind === 'offset') return true;
  return (
    isPointer(paging.next) && !paging.noCursor.includes('false') && paging.lifetimeMs === undefined && paging.otherParameters === 'sent'
  );
};

const isReadTotal = ({
  path,
  relationAt,
  saturatesAt,
  counts,
  firstPageOnly,
  optional,
  countedBeforeAccess,
}: NonNullable<HttpConnect['total']>): boolean =>
  isPointer(path) && !relationAt && saturatesAt === undefined && counts === 'all' && !firstPageOnly && !optional && !countedBeforeAccess;

const isReadFlag = ({ path, sameAs, sameAsSent, each, members }: AnswerFlag): boolean =>
  isPointer(path) && sameAs === undefined && sameAsSent === undefined && each === undefined && members.length === 0;

/** Whether a request is one that a walk file describes. */
import { isObject, type Json } from '../register/layers/merge-rules.js';
import type { RequestPattern } from './walk-file.js';

/** A request as it reached the local server. */
export interface SeenRequest {
  readonly source: string;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Its JSON body; a body that is none is the text itself, and no body null. */
  readonly body: Json;
}

export const fits = (seen: SeenRequest, pattern: RequestPattern): boolean => {
  const { pathname, searchParams } = new URL(seen.url, 'http://walk');
  return (
    (pattern.source === undefined || pattern.source === seen.source) &&
    (pattern.method === undefined || pattern.method === seen.method) &&
    (pattern.path === undefined || pattern.path === pathname) &&
    Object.entries(pattern.query ?? {}).every(([name, value]) => searchParams.getAll(name).includes(value)) &&
    (pattern.without ?? []).every((name) => !searchParams.has(name)) &&
    Object.entries(pattern.headers ?? {}).every(([name, value]) => seen.headers[name.toLowerCase()] === value) &&
    (pattern.body === undefined || holds(seen.body, pattern.body))
  );
};

const holds = (value: Json | undefined, wanted: Json): boolean => {
  if (isObject(wanted)) return isObject(value) && Object.entries(wanted).every(([name, each]) => holds(value[name], each));
  if (Array.isArray(wanted))
    return Array.isArray(value) && value.length === wanted.length && wanted.every((each: Json, at) => holds(value[at] as Json, each));
  return value === wanted;
};

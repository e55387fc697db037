/** Values of a request, from what was asked, what `open` took, and secrets. */
import type { AskedValues } from '../asked-values.js';
import type { Secrets } from '../inputs.js';
import type { BodyTemplate, RequestValue, SecretReference } from '../register/connect.js';
import { bodyValue } from '../register/sent-values.js';
import type { ReadFailure } from '../source-reader.js';
import { textOf, type Json } from './exact-json.js';
import { failure } from './http-failure.js';

export interface ValueSources {
  readonly asked: AskedValues;
  /** What `open` took, by name. */
  readonly opened: ReadonlyMap<string, Json>;
  readonly secrets: Secrets;
}

/** `shown` is what a fingerprint is taken of: no secret and no personal value. */
export interface SentText {
  readonly text: string;
  readonly shown: string;
}

/** Ends the building of a request. */
export class CannotAsk extends Error {
  constructor(readonly failure: ReadFailure) {
    super(failure.detail);
  }
}

const ESCAPES: Readonly<Record<Extract<RequestValue, { template: string }>['escape'], (text: string) => string>> = {
  none: (text) => text,
  backslash: (text) => text.replaceAll(/["'\\]/g, '\\$&'),
  'double-quotes': (text) => text.replaceAll('"', '""'),
  'double-single-quotes': (text) => text.replaceAll("'", "''"),
  url: encodeURIComponent,
};

export const referenceName = (reference: SecretReference): string => ('env' in reference ? reference.env : reference.file);

/** @throws CannotAsk when it is not set */
export const secretOf = (reference: SecretReference, secrets: Secrets): string => {
  const secret = secrets(reference);
  if (secret === null) throw new CannotAsk(failure('source-unavailable', `${referenceName(reference)} is not set`));
  return secret;
};

/** Null: it is left out, since an identifier in it was not asked. @throws CannotAsk */
export const sentText = (value: RequestValue, sources: ValueSources): SentText | null => {
  if ('value' in value) return { text: value.value, shown: value.value };
  if ('secret' in value) return { text: secretOf(value.secret, sources.secrets), shown: '{secret}' };
  if ('opened' in value) return { text: openedText(value.opened, sources), shown: `{opened ${value.opened}}` };
  if ('identifier' in value) return askedText(value.identifier, sources.asked);
  return templateText(value, sources.asked);
};

const askedText = (name: string, asked: AskedValues): SentText | null => {
  const value = Object.hasOwn(asked, name) ? asked[name] : undefined;
  return value === undefined ? null : { text: value.value, shown: value.personal ? `{${name}}` : value.value };
};

const openedValue = (name: string, { opened }: ValueSources): Json => {
  const value = opened.get(name);
  if (value === undefined) throw new CannotAsk(failure('metadata-missing', `${name} was not taken by open`));
  return value;
};

const openedText = (name: string, sources: ValueSources): string => {
  const read = textOf(openedValue(name, sources));
  if (read === 'unreadable' || typeof read.text !== 'string')
    throw new CannotAsk(failure('metadata-missing', `${name} of open is no text`));
  return read.text;
};

const templateText = ({ template, escape, unsafe }: Extract<RequestValue, { template: string }>, asked: AskedValues): SentText | null => {
  const pattern = unsafe === undefined ? null : new RegExp(unsafe, 'u');
  let complete = true;
  const filled = (shown: boolean): string =>
    template.replaceAll(/\{([^{}]*)\}/g, (_whole, name: string) => {
      const value = askedText(name, asked);
      if (value === null) complete = false;
      if (value !== null && pattern?.test(value.text)) {
        throw new CannotAsk(failure('value-unsafe', `${name} holds what the source’s query language would read as its own`));
      }
      const text = shown ? (value?.shown ?? '') : (value?.text ?? '');
      return ESCAPES[escape](text);
    });
  const sent = { text: filled(false), shown: filled(true) };
  return complete ? sent : null;
};

/** A part of a body that is left out. */
const LEFT_OUT = Symbol('left out');

/** The body as it is sent, or as it is shown. Members whose value was not asked are left out. @throws CannotAsk */
export const filledBody = (body: BodyTemplate, sources: ValueSources, shown: boolean): Json => {
  const filled = fill(body, sources, shown);
  return filled === LEFT_OUT ? null : filled;
};

const fill = (body: BodyTemplate, sources: ValueSources, shown: boolean): Json | typeof LEFT_OUT => {
  if (typeof body !== 'object' || body === null) return body;
  if (Array.isArray(body))
    return (body as readonly BodyTemplate[]).map((each) => fill(each, sources, shown)).filter((each) => each !== LEFT_OUT);
  const value = bodyValue(body);
  if (value !== null && 'opened' in value && !shown) return openedValue(value.opened, sources);
  if (value !== null) {
    const sent = sentText(value, sources);
    return sent === null ? LEFT_OUT : shown ? sent.shown : sent.text;
  }
  const members = Object.entries(body as Readonly<Record<string, BodyTemplate>>).map(
    ([name, each]) => [name, fill(each, sources, shown)] as const,
  );
  return Object.fromEntries(members.filter((member): member is readonly [string, Json] => member[1] !== LEFT_OUT));
};

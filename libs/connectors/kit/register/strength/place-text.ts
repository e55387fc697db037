import type { Place, SendPlace } from '../connect.js';

export const placeText = (place: Place): string => {
  if (typeof place === 'string') return shownPointer(place);
  if ('header' in place) return `the header ${place.header}`;
  return 'link' in place ? `the link with rel="${place.link}"` : `${shownPointer(place.lastRow)} of the last record`;
};

export const shownPointer = (pointer: string): string => (pointer === '' ? 'the body itself' : pointer);

export const sendText = ({ in: where, name }: SendPlace): string =>
  where === 'query'
    ? `the parameter ${name}`
    : where === 'header'
      ? `the header ${name}`
      : where === 'path'
        ? `{${name}} of the path`
        : `${name} of the body`;

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const anyOf = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(' or ');

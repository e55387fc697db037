import { expect, it } from 'vitest';
import { checkNode, SetUpError } from './setup.mjs';

it('a Node that is too old is refused in one line', () => {
  expect(() => checkNode('20.19.0')).not.toThrow();
  expect(() => checkNode('22.0.0')).not.toThrow();
  expect(() => checkNode('20.18.3')).toThrow(SetUpError);
  expect(() => checkNode('18.20.0')).toThrow(/^Lacuna needs Node 20\.19 or newer, and this is Node 18\.20\.0: .+$/);
});

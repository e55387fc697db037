import { describe, expect, it } from 'vitest';
import { linkTarget, parseLinks } from './link-header.js';

describe('the link header', () => {
  // Fails if a valid next link reads as none: the rest of the list would be unread.
  it.each([
    ['<https://api.test/d?after=9>; rel=next; title="next page"', 'https://api.test/d?after=9'],
    ['<https://api.test/x?page=2>; type="application/json"; rel="next"', 'https://api.test/x?page=2'],
    ['<https://api.test/x?page=2&tags=x,y,z>; rel="next"', 'https://api.test/x?page=2&tags=x,y,z'],
    ['<?page=1>; rel="prev", <?page=3>; rel="next"', '?page=3'],
    ['<?page=1>; rel=first,<?page=3>; rel=next', '?page=3'],
    ['<?page=3>;rel="last next"', '?page=3'],
    ['<?page=3>; REL="Next"', '?page=3'],
    ['<?page=3> ; rel = next ', '?page=3'],
    ['<?q=a;b>; rel="next"; title="a, b; <c>"', '?q=a;b'],
    ['<?page=3>; title="say \\"hi\\""; rel=next', '?page=3'],
    ['<?page=3>; rel=next;, <?page=9>; rel=last', '?page=3'],
    [' , <?page=3>; rel=next , ', '?page=3'],
    ['<?page=3>; rel=next, <?page=3>; rel=next', '?page=3'],
    ['<?page=3>; rel=next; rel=prev', '?page=3'],
    ['<>; rel=next', ''],
  ])('%s', (header, target) => {
    expect(linkTarget(header, 'next')).toBe(target);
  });

  // Fails if what merely looks alike counts as a next page.
  it.each([
    '<?page=1>; rel="prev", <https://api.test/d>; rel=first',
    '',
    '<?page=3>',
    '<?page=3>; rel=nextish',
    '<?page=3>; title="rel=next"',
  ])('has no next link: %s', (header) => {
    expect(linkTarget(header, 'next')).toBeUndefined();
  });

  // Fails if a next page that cannot be read is taken for the end.
  it.each([
    '?page=2; rel=next',
    '<?page=2; rel=next',
    '<?page=2>; rel',
    '<?page=2>; rel=',
    '<?page=2>; rel=""',
    '<?page=2>; rel="next',
    '<?page=2> rel=next',
    '<?page=2>; rel=next <?page=3>; rel=last',
    '<?page=2>; rel=next, <?page=3>; rel=next',
    'nonsense',
    Array.from({ length: 101 }, () => '<?p>; rel=x').join(','),
  ])('cannot be read: %s', (header) => {
    expect(linkTarget(header, 'next')).toBeNull();
  });

  it('keeps every relation of a link', () => {
    expect(parseLinks('<a>; rel="one TWO"')).toEqual([{ target: 'a', relations: ['one', 'two'] }]);
  });
});

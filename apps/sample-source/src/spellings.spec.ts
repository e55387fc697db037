import { describe, expect, it } from 'vitest';
import { seededRandom } from './random.js';
import { spell, spellingFamilies } from './spellings.js';

const random = seededRandom(3);
const CANONICAL = ['inv202400123', '00412207', 'rma004217x', 'été20240042', 'köln1', 'eu1'];

/** What a reader takes from a spelling: its letters and digits in order, whatever their case and width. */
function asRead(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

describe('the spelling families', () => {
  it.each(spellingFamilies)('%s keeps every letter and digit in order; fails when a spelling changes what is identified', (family) => {
    expect(CANONICAL.map((canonical) => asRead(spell(canonical, family, random)))).toEqual(CANONICAL);
  });

  it('write one reference in as many ways as there are families; fails when two families are the same', () => {
    const spelled = spellingFamilies.map((family) => spell('été20240042', family, random));
    expect(new Set(spelled).size).toBe(spellingFamilies.length);
  });

  it('separate letters, year and number; fails when a reference is grouped in a way nobody writes', () => {
    expect(spell('inv202400123', 'hyphens', random)).toBe('INV-2024-00123');
    expect(spell('inv202400123', 'full-width', random)).toBe('ＩＮＶ－２０２４－００１２３');
    expect(spell('inv202400123', 'soft-hyphen', random)).toBe('INV\u00ad2024\u00ad00123');
    expect(spell('maß20240042', 'spaces', random)).toBe('MASS 2024 0042');
  });
});

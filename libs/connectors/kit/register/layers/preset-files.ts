import { readFileSync, readdirSync } from 'node:fs';

/** Beside `kit` in the repository and beside `dist` where it is built: two folders up from here in both. */
const folder = new URL('../../../presets/', import.meta.url);

/** Text of a preset by its name; null where there is none. */
export type PresetTexts = (name: string) => string | null;

const NAME = /^[a-z][a-z0-9-]{0,62}$/;

export const presetText: PresetTexts = (name) => {
  if (!NAME.test(name)) return null;
  try {
    return readFileSync(new URL(`${name}/contract.yaml`, folder), 'utf8');
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null;
    throw error;
  }
};

/** Names of all presets that come with this library. */
export const presetNames = (): readonly string[] => {
  try {
    return readdirSync(folder)
      .filter((name) => presetText(name) !== null)
      .sort();
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return [];
    throw error;
  }
};

/** `lacuna config`. */
import { configHelp } from '@lacuna/runtime';
import type { Surroundings } from './surroundings.js';

export function showConfig({ print }: Surroundings): void {
  print(configHelp());
}

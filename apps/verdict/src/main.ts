import { runMain } from '@lacuna/runtime';
import { verdict } from './verdict.definition.js';

await runMain(verdict);

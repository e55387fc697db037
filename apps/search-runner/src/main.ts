import { runMain } from '@lacuna/runtime';
import { searchRunner } from './search-runner.definition.js';

await runMain(searchRunner);

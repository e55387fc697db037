import { runMain } from '@lacuna/runtime';
import { writeGuard } from './write-guard.definition.js';

await runMain(writeGuard);

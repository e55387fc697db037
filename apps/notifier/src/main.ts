import { runMain } from '@lacuna/runtime';
import { notifier } from './notifier.definition.js';

await runMain(notifier);

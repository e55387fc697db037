import { runMain } from '@lacuna/runtime';
import { gatewayDefinition } from './gateway.definition.js';

await runMain(gatewayDefinition);

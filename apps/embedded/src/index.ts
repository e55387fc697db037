export { makeDemonstrationKeys, makeOwnerKey, OWNER_ROLES } from './api-keys.js';
export { claimDataFolder } from './claim-data-folder.js';
export { demonstrate, type Demonstration, type DemonstrationInput } from './demonstrations/demonstrate.js';
export { type Answer, GatewayClient } from './demonstrations/gateway-client.js';
export { startWebhookReceiver, type WebhookReceiver } from './demonstrations/webhook-receiver.js';
export {
  assertIsFolder,
  chosenRegisters,
  egressAllow,
  missingReferenceLines,
  registersFolder,
  registersIn,
  sourceVariablesOf,
} from './registers-folder.js';
export { lookupIndexes, sourceVariables } from './start-embedded.js';

export { demonstrate, type Demonstration, type DemonstrationInput } from './demonstrations/demonstrate.js';
export { type Answer, GatewayClient } from './demonstrations/gateway-client.js';
export { startWebhookReceiver, type WebhookReceiver } from './demonstrations/webhook-receiver.js';
export { lookupIndexes, makeDemonstrationKeys, registersFolder, sourceVariables } from './start-embedded.js';

export { gatewayDefinition } from './gateway.definition.js';
export { issueApiKey, type NewApiKey, type Principal, type Role } from './access/api-keys.js';

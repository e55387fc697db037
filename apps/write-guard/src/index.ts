export { writeGuard } from './write-guard.definition.js';

export { searchRunner } from './search-runner.definition.js';

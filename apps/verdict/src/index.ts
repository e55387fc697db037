export { verdict } from './verdict.definition.js';

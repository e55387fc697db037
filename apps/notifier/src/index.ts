export { notifier } from './notifier.definition.js';

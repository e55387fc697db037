export { parseWalkFile, type Expectation, type RequestPattern, type Walk, type WalkFileResult, type WalkResponse } from './walk-file.js';
export { runWalk, type WalkRequest, type WalkResult } from './run-walk.js';
export { walkSchema } from './walk-schema.js';

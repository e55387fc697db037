import type { OwnTableTarget, Register, SourceRule } from '@lacuna/evidence';
import type { OutsideTargetDocument } from '../outside/outside-target.js';
import type { Connect } from './connect.js';
import type { SourceContract } from './source-contract.js';

/** A source with its contract, and the section that says how it is reached. */
export interface DocumentSource extends SourceRule {
  readonly contract: SourceContract;
  readonly connect: Connect;
}

/** A register file, checked and expanded with every preset and default. Its canonical JSON is what the register's hash is taken of. */
export interface RegisterDocument extends Omit<Register, 'hash' | 'sources' | 'target'> {
  readonly sources: readonly DocumentSource[];
  readonly target: OwnTableTarget | OutsideTargetDocument | null;
}

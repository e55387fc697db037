import type { AskedIdentifier } from '@lacuna/evidence';
import type { Clock, Egress, Secrets } from './inputs.js';
import type { ConnectorKind } from './register/connect.js';
import type { DocumentSource, RegisterDocument } from './register/register-document.js';
import type { SourceReader } from './source-reader.js';

export const connectorKinds: readonly ConnectorKind[] = ['http', 'postgres'];

/** What a reader of one attempt is made of. `elapsedMsMax` bounds each single request or statement. */
export interface ReaderInputs {
  readonly register: RegisterDocument;
  readonly identifiers: readonly Pick<AskedIdentifier, 'name' | 'value'>[];
  readonly secrets: Secrets;
  readonly egress: Egress;
  readonly clock: Clock;
  readonly elapsedMsMax: number;
}

/** A reader for one attempt over one source. */
export const readerFor = (source: DocumentSource, inputs: ReaderInputs): SourceReader => {
  throw new Error(`no reader for ${source.connect.type} of ${inputs.register.name}`);
};

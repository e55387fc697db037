import { ApiProperty } from '@nestjs/swagger';

export class ReceiptView {
  @ApiProperty() receiptId: string;
  @ApiProperty({ description: 'Its place in the tenant’s receipt log, from 0, without gaps.' }) leafIndex: number;
  @ApiProperty({ description: 'SHA-256 of the canonical payload, as hex.' }) receiptHash: string;
  @ApiProperty() questionId: string;
  @ApiProperty() generation: number;
  @ApiProperty({ description: 'Base64 of the DSSE envelope’s exact bytes, which are the leaf of the log.' }) envelope: string;
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The payload in the envelope. Verify the envelope, not this.' })
  payload: Record<string, unknown>;
}

export class PublicKeyView {
  @ApiProperty({ description: 'SHA-256 of the key’s SPKI DER bytes, as the envelope names it.' }) keyid: string;
  @ApiProperty({ description: 'Ed25519, SPKI, PEM.' }) publicKeyPem: string;
}

/**
 * Consumes lacuna.searches.v1 and lacuna.registers.v1; publishes verdict.reached and receipt.appended; owns evidence, salts and the receipt
 * log.
 */
import { Module } from '@nestjs/common';
import { SERVICE_CONFIG, type ServiceConfig } from '@lacuna/runtime';
import { RegistersHandler } from './registers.handler.js';
import { SearchesHandler } from './searches.handler.js';
import { openSigningKey, SIGNING_KEY } from './signing-key.js';
import { VerdictWork } from './verdict-work.js';

@Module({
  controllers: [SearchesHandler, RegistersHandler],
  providers: [
    VerdictWork,
    { provide: SIGNING_KEY, useFactory: (config: ServiceConfig) => openSigningKey(config.signingKeyFile), inject: [SERVICE_CONFIG] },
  ],
})
export class VerdictModule {}

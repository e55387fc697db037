/**
 * Consumes questions, verdicts, registers and deliveries; publishes permit.granted, permit.refused, write.settled and question.rerun; owns
 * authorisations, permits, slots and the records of own-table targets.
 */
import { Module } from '@nestjs/common';
import { OwnWritesController } from './own-writes/own-writes.controller.js';
import { DeliveriesHandler } from './write/deliveries.handler.js';
import { QuestionsHandler } from './write/questions.handler.js';
import { RegistersHandler } from './write/registers.handler.js';
import { SettleVerdicts } from './write/settle-verdicts.js';
import { Slots } from './write/slots.js';
import { VerdictsHandler } from './write/verdicts.handler.js';

@Module({
  controllers: [QuestionsHandler, VerdictsHandler, RegistersHandler, DeliveriesHandler, OwnWritesController],
  providers: [SettleVerdicts, Slots],
})
export class WriteGuardModule {}

/**
 * Consumes questions, verdicts, registers, reviews and deliveries; publishes authorisation.requested, permit.granted, permit.refused, write.settled and question.rerun; owns
 * authorisations, permits, slots and the records of own-table targets.
 */
import { Module } from '@nestjs/common';
import { OutsideWork } from './outside/outside-work.js';
import { OwnWritesController } from './own-writes/own-writes.controller.js';
import { DeliveriesHandler } from './write/deliveries.handler.js';
import { ExceptionWork } from './write/exception-work.js';
import { ExpiryWork } from './write/expiry-work.js';
import { QuestionsHandler } from './write/questions.handler.js';
import { RegistersHandler } from './write/registers.handler.js';
import { ReviewsHandler } from './write/reviews.handler.js';
import { SettleWrites } from './write/settle-writes.js';
import { Slots } from './write/slots.js';
import { VerdictsHandler } from './write/verdicts.handler.js';
import { WaitingWork } from './write/waiting-work.js';

@Module({
  controllers: [QuestionsHandler, VerdictsHandler, RegistersHandler, ReviewsHandler, DeliveriesHandler, OwnWritesController],
  providers: [SettleWrites, Slots, ExpiryWork, ExceptionWork, OutsideWork, WaitingWork],
})
export class WriteGuardModule {}

/**
 * Consumes verdicts, reviews, deliveries, questions and registers; publishes case.opened, case.closed and question.rerun; owns case files,
 * automatic reruns and deliveries.
 */
import { Module } from '@nestjs/common';
import { DeliveriesHandler } from './cases/deliveries.handler.js';
import { ReviewsHandler } from './cases/reviews.handler.js';
import { VerdictsHandler } from './cases/verdicts.handler.js';
import { NotifierWork } from './notifier-work.js';
import { QuestionsHandler } from './questions.handler.js';
import { RegistersHandler } from './registers.handler.js';

@Module({
  controllers: [VerdictsHandler, ReviewsHandler, DeliveriesHandler, QuestionsHandler, RegistersHandler],
  providers: [NotifierWork],
})
export class NotifierModule {}

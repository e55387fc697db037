import type { Database, EventLog, EventPublisher } from '@lacuna/messaging';
import { PostgresPositionStore } from '@lacuna/postgres';
import { CLOCK, DATABASE, EVENT_LOG, LOGGER, PUBLISHER, SERVICE_CONFIG, type Clock, type ServiceConfig } from '@lacuna/runtime';
import { Inject, Module, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { AuthorisationsController } from './authorisations/authorisations.controller.js';
import { Authorise } from './authorisations/authorise.js';
import { ReadAuthorisations } from './authorisations/read-authorisations.js';
import { CasesController } from './cases/cases.controller.js';
import { DecideCase } from './cases/decide-case.js';
import { ReadCases } from './cases/read-cases.js';
import { GrantException } from './exceptions/grant-exception.js';
import { FrontPageController } from './http/front-page.controller.js';
import { ReadModelConsumer } from './projections/read-model.consumer.js';
import { ReadModelPosition } from './projections/read-model-position.js';
import { AskQuestion } from './questions/ask-question.js';
import { NEW_ID } from './questions/new-id.js';
import { QuestionsController } from './questions/questions.controller.js';
import { ReadAnswers } from './questions/read-answers.js';
import { WaitForAnswer } from './questions/wait-for-answer.js';
import { WaitingRoom } from './questions/waiting-room.js';
import { ReadReceipt } from './receipts/read-receipt.js';
import { ReceiptsController } from './receipts/receipts.controller.js';
import { loadRegisters } from './registers/register-loader.js';
import { RegistersController } from './registers/registers.controller.js';

interface FactLogger {
  info(facts: object, sentence: string): void;
  warn(facts: object, sentence: string): void;
}

const waiting = { pollMs: 250, waitersMax: 10_000, questionsPerLookMax: 500 };

/** Consumes searches, verdicts, receipts, writes, reviews, deliveries; publishes questions, reruns, reviews, registers; owns `gateway`. */
@Module({
  controllers: [
    QuestionsController,
    ReceiptsController,
    CasesController,
    AuthorisationsController,
    RegistersController,
    FrontPageController,
    ReadModelConsumer,
  ],
  providers: [
    AskQuestion,
    ReadAnswers,
    WaitForAnswer,
    ReadReceipt,
    ReadCases,
    DecideCase,
    ReadAuthorisations,
    Authorise,
    GrantException,
    { provide: NEW_ID, useValue: randomUUID },
    {
      provide: ReadModelPosition,
      useFactory: (log: EventLog, database: Database) => new ReadModelPosition(log, database, new PostgresPositionStore(), 'gateway'),
      inject: [EVENT_LOG, DATABASE],
    },
    {
      provide: WaitingRoom,
      useFactory: (answers: ReadAnswers, logger: FactLogger) =>
        new WaitingRoom({
          ...waiting,
          settledAmong: (tenantId, questionIds) => answers.settledAmong(tenantId, questionIds),
          onError: (error) => logger.warn({ err: error }, 'waiting requests could not be looked after; they are looked at again'),
        }),
      inject: [ReadAnswers, LOGGER],
    },
  ],
})
export class GatewayModule implements OnModuleInit, BeforeApplicationShutdown {
  constructor(
    @Inject(SERVICE_CONFIG) private readonly config: ServiceConfig,
    @Inject(PUBLISHER) private readonly publisher: EventPublisher,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: FactLogger,
    private readonly room: WaitingRoom<unknown>,
  ) {}

  async onModuleInit(): Promise<void> {
    const { registersFolder: folder, tenants } = this.config;
    if (!folder) return this.logger.warn({}, 'LACUNA_REGISTERS is not set: only registers that were loaded before can be asked');
    const loaded = await loadRegisters({ folder, tenants, publisher: this.publisher, now: () => this.clock.now() });
    this.logger.info({ registers: loaded.map(({ name, version, hash }) => ({ name, version, hash })), tenants }, 'registers are loaded');
  }

  /** Waiting requests are answered with what is known, so that the server can close. */
  beforeApplicationShutdown(): void {
    this.room.close();
  }
}

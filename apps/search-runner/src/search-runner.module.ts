/**
 * Consumes lacuna.questions.v1 and lacuna.registers.v1; publishes search.started, page.read and search.ended; owns questions, generations and
 * search jobs.
 */
import { Module } from '@nestjs/common';
import { QuestionsHandler } from './jobs/questions.handler.js';
import { RegistersHandler } from './registers.handler.js';
import { SearchWork } from './search/search-work.js';

@Module({ controllers: [QuestionsHandler, RegistersHandler], providers: [SearchWork] })
export class SearchRunnerModule {}

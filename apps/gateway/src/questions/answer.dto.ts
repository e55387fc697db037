/** The answer object, as OpenAPI describes it. Its first fields say how complete it is. */
import { ApiExtraModels, ApiProperty } from '@nestjs/swagger';

export const coverages = ['complete', 'timed_out', 'range_too_wide', 'recent_unavailable', 'field_unavailable'] as const;
export type Coverage = (typeof coverages)[number];
const verdicts = ['match-review', 'scoped-no-match', 'evidence-hold'] as const;
export type VerdictName = (typeof verdicts)[number];
export const writeAnswers = ['created', 'exists', 'refused', 'unknown', 'pending'] as const;

const coverageMeaning = `How far the search went. \`complete\`: all that was asked for was read. \`timed_out\`: a source or the time ended first. \
\`range_too_wide\`: there is more than was read, or than this page lists. \`recent_unavailable\`: the newest part is not readable yet. \
\`field_unavailable\`: something that decides was not shown.`;

/** In front of every search-shaped answer. */
export class Completeness {
  @ApiProperty({ description: 'Absence must not be concluded unless this is false, `coverage` is complete and `from_clamped` is false.' })
  partial: boolean;
  @ApiProperty({ enum: coverages, description: coverageMeaning }) coverage: Coverage;
  @ApiProperty({ description: 'The range began later than was asked for.' }) from_clamped: boolean;
  @ApiProperty({ description: 'What to do with this answer, in one or two sentences.' }) advice: string;
}

export class ReasonView {
  @ApiProperty({ description: 'A code of the closed catalogue.' }) code: string;
  @ApiProperty({ type: String, nullable: true }) source: string | null;
  @ApiProperty() meaning: string;
}

/** A record that the verdict names. `recordId` is null where the caller may not see it. */
export class RecordView {
  @ApiProperty() source: string;
  @ApiProperty({ type: String, nullable: true }) recordId: string | null;
  @ApiProperty({ type: String, nullable: true }) version: string | null;
  @ApiProperty({ type: String, nullable: true }) status: string | null;
}

export class WriteView {
  @ApiProperty({ enum: writeAnswers, description: '`pending` until the write is settled; any other value is final for this generation.' })
  answer: (typeof writeAnswers)[number];
  @ApiProperty({ type: String, nullable: true }) recordId: string | null;
  @ApiProperty({ type: String, nullable: true }) reason: string | null;
}

/** What a person said of this question last. */
export class ReviewView {
  @ApiProperty({
    enum: ['rerun', 'same', 'different'],
    description: '`same`: the record named is the one looked for. `different` and `rerun` are shown while the question is read once more.',
  })
  decision: 'rerun' | 'same' | 'different';
  @ApiProperty() caseId: string;
  @ApiProperty() at: string;
}

export class UnlistedView {
  @ApiProperty() matches: number;
  @ApiProperty() candidates: number;
}

export class ProgressView {
  @ApiProperty({ description: 'Attempts of this generation that have read a page.' }) attempts: number;
  @ApiProperty({ description: 'Pages read in this generation.' }) pages: number;
}

export class AnswerLinks {
  @ApiProperty() self: string;
  @ApiProperty({ type: String, nullable: true }) receipt: string | null;
  @ApiProperty({ type: [String] }) cases: string[];
}

@ApiExtraModels(ReasonView, RecordView)
export class ExceptionView {
  @ApiProperty() exceptionId: string;
  @ApiProperty({ description: 'Who accepted the risk.' }) principal: string;
  @ApiProperty() reason: string;
  @ApiProperty() expiresAt: string;
  @ApiProperty() at: string;
}

export class AnswerView extends Completeness {
  @ApiProperty() questionId: string;
  @ApiProperty({ description: 'Which asking this is: 1, or one more for each rerun.' }) generation: number;
  @ApiProperty({ enum: ['exists', 'gone', 'enumerate'] }) kind: 'exists' | 'gone' | 'enumerate';
  @ApiProperty({ enum: ['reading', 'decided'] }) state: 'reading' | 'decided';
  @ApiProperty({ enum: verdicts, nullable: true }) verdict: VerdictName | null;
  @ApiProperty({ type: String, nullable: true }) statement: string | null;
  @ApiProperty({ type: [ReasonView] }) reasons: ReasonView[];
  @ApiProperty({ type: [RecordView] }) matches: RecordView[];
  @ApiProperty({ type: [RecordView] }) candidates: RecordView[];
  @ApiProperty({ type: UnlistedView, description: 'How many more the verdict names; lists show the first of each only.' })
  unlisted: UnlistedView;
  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Of `enumerate`: how many records match. Null unless everything was read; the length of `matches` is no count.',
  })
  count: number | null;
  @ApiProperty({ type: String, nullable: true, description: 'Every deciding source was seen up to this moment.' }) asOf: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'Who looks after it.' }) owner: string | null;
  @ApiProperty({ type: String, nullable: true }) receiptId: string | null;
  @ApiProperty({ type: String, nullable: true }) receiptHash: string | null;
  @ApiProperty({ type: WriteView, nullable: true, description: 'Null when nothing is to be written.' }) write: WriteView | null;
  @ApiProperty({ type: ReviewView, nullable: true, description: 'Null when no person has decided on this generation.' })
  review: ReviewView | null;
  @ApiProperty({
    type: ExceptionView,
    nullable: true,
    description: 'A person accepted the risk of this hold. The verdict stays what it is.',
  })
  exception: ExceptionView | null;
  @ApiProperty({ type: [String], description: 'Open cases first.' }) caseIds: string[];
  @ApiProperty({ description: 'A message of this question could not be handled: no permit is given until that is cleared.' })
  deliveryStalled: boolean;
  @ApiProperty({ type: ProgressView }) progress: ProgressView;
  @ApiProperty() register: string;
  @ApiProperty() registerHash: string;
  @ApiProperty() askedAt: string;
  @ApiProperty() needsAsOf: string;
  @ApiProperty({ type: AnswerLinks }) links: AnswerLinks;
}

export class AnswerList extends Completeness {
  @ApiProperty({ type: [AnswerView] }) items: AnswerView[];
  @ApiProperty({ type: String, nullable: true, description: 'Give it as `cursor` for the next page; null on the last.' })
  nextCursor: string | null;
}

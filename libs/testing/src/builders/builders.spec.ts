import { encodeEvent, type EventDefinition, eventDefinitions, events } from '@lacuna/events';
import { describe, expect, it } from 'vitest';
import * as builders from '../index.js';

const built: Readonly<Record<keyof typeof events, () => object>> = {
  registerPublished: builders.aRegisterPublished,
  questionAsked: builders.aQuestionAsked,
  questionRerun: builders.aQuestionRerun,
  searchStarted: builders.aSearchStarted,
  pageRead: builders.aPageRead,
  searchEnded: builders.aSearchEnded,
  missRecorded: builders.aMissRecorded,
  ingestionGapFound: builders.anIngestionGapFound,
  ingestionGapClosed: builders.anIngestionGapClosed,
  verdictReached: builders.aVerdictReached,
  receiptAppended: builders.aReceiptAppended,
  checkpointSigned: builders.aCheckpointSigned,
  authorisationRequested: builders.anAuthorisationRequested,
  permitGranted: builders.aPermitGranted,
  permitRefused: builders.aPermitRefused,
  writeSettled: builders.aWriteSettled,
  caseOpened: builders.aCaseOpened,
  caseClosed: builders.aCaseClosed,
  reviewDecided: builders.aReviewDecided,
  authorisationDecided: builders.anAuthorisationDecided,
  exceptionGranted: builders.anExceptionGranted,
  deliveryStalled: builders.aDeliveryStalled,
  deliveryCleared: builders.aDeliveryCleared,
};

describe('builders', () => {
  it.each(Object.keys(built) as (keyof typeof events)[])('build a valid %s: tests start from data that could be published', (name) => {
    const definition = events[name] as unknown as EventDefinition<object>;
    expect(() => encodeEvent(definition, built[name](), 'gateway')).not.toThrow();
  });

  it('know every event of the catalogue', () => {
    expect(Object.keys(built)).toHaveLength(eventDefinitions.length);
  });

  it('build a search whose pages are one chain that its end names', () => {
    const { pages, ended } = builders.aSearch({}, [{}, { records: 3 }, {}]);
    expect(pages.map((page) => page.sequence)).toEqual([0, 1, 2]);
    expect(pages[1]?.previousHash).toBe(pages[0]?.hash);
    expect(pages.map((page) => page.end)).toEqual(['continues', 'continues', 'signalled']);
    expect(ended.sources[0]).toMatchObject({ pages: 3, lastHash: pages[2]?.hash, attemptId: pages[0]?.attemptId });
  });

  it('give fresh ids every time: two tests never meet in one table', () => {
    expect(builders.aQuestionAsked().questionId).not.toBe(builders.aQuestionAsked().questionId);
  });
});

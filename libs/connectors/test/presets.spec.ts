import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { explainContract } from '../kit/register/strength/explain-contract.js';
import { presetNames, presetText } from '../kit/register/layers/preset-files.js';

/** What keeps each preset from a no-match until its register attests it. Nothing else may. */
const ATTESTED_BY_THE_REGISTER: Readonly<Record<string, readonly string[]>> = {
  'dynamodb-query': ['drift-possible', 'scope-unverified'],
  'dynamodb-scan': ['drift-possible', 'scope-unverified'],
  'hubspot-search': ['scope-unverified'],
  'jira-search-jql': [],
  'jira-search-legacy': [],
  'microsoft-graph': [],
  'microsoft-graph-delta': [],
  'salesforce-soql': ['cap-reached'],
  'servicenow-table': ['visibility-limited'],
  'slack-list': ['scope-unverified'],
  'stripe-list': ['scope-unverified'],
  'stripe-search': [],
  'zendesk-incremental': ['recent-unavailable'],
  'zendesk-list': ['scope-unverified'],
  'zendesk-search': [],
};

describe('presets', () => {
  // Fails if a preset cannot be loaded, or claims more, or less, than what is listed here.
  it.each(Object.entries(ATTESTED_BY_THE_REGISTER))('%s is a valid contract and says what it leaves open', (name, doubts) => {
    const explained = explainContract(presetText(name) ?? '', `${name}/contract.yaml`, presetText);
    if (!explained.ok) throw new Error(JSON.stringify(explained.problems));
    expect(explained.sources[0]?.strength.obstacles.map(({ doubt }) => doubt)).toEqual(doubts);
  });

  it('are named as their folders are', () => {
    expect(presetNames().map((name) => (parse(presetText(name) ?? '') as { name: string }).name)).toEqual(presetNames());
  });
});

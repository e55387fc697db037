import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { explainContract } from '../kit/register/strength/explain-contract.js';
import { presetNames, presetText } from '../kit/register/layers/preset-files.js';

/** What keeps each preset from a no-match until its register attests it. Nothing else may. */
const ATTESTED_BY_THE_REGISTER: Readonly<Record<string, readonly string[]>> = {
  'aip-158': ['scope-unverified'],
  'coverage-api': [],
  'dynamodb-query': ['scope-unverified'],
  'dynamodb-scan': ['scope-unverified'],
  'elasticsearch-pit': ['order-unproven', 'scope-unverified'],
  'elasticsearch-search': [],
  'github-code-search': ['scope-unverified', 'scope-unverified', 'scope-unverified'],
  'github-graphql': [],
  'github-rest-list': ['metadata-missing', 'scope-unverified'],
  'github-search': ['scope-unverified'],
  'gitlab-cursor': ['metadata-missing', 'scope-unverified'],
  'gitlab-keyset': ['scope-unverified'],
  'gitlab-offset': ['scope-unverified'],
  'hubspot-search': ['scope-unverified'],
  'jira-search-jql': [],
  'jira-search-legacy': [],
  'kubernetes-list': [],
  'mcp-list-2025': [],
  'mcp-list-2026': [],
  'mcp-session-2025': [],
  'mcp-tool-result': ['truncated', 'scope-unverified'],
  'meilisearch-offset': ['timed-out', 'cap-reached'],
  'meilisearch-page': ['timed-out', 'cap-reached'],
  'microsoft-graph': [],
  'microsoft-graph-delta': [],
  'opensearch-pit': ['order-unproven', 'scope-unverified'],
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

  // Fails if a preset is added and nothing shows how it is read.
  it('are all listed here, and each has walks', () => {
    expect(presetNames()).toEqual(Object.keys(ATTESTED_BY_THE_REGISTER));
    const walks = new URL('../../../walks/presets/', import.meta.url);
    expect(presetNames().filter((name) => readdirSync(new URL(name, walks)).length < 5)).toEqual([]);
  });

  it('are named as their folders are', () => {
    expect(presetNames().map((name) => (parse(presetText(name) ?? '') as { name: string }).name)).toEqual(presetNames());
  });
});

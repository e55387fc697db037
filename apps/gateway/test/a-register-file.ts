/** A register file as an operator writes it. */
export function aRegisterFile({ name = 'service-requests', version = '1', policyId = 'service-request-v1', policy = 'auto' } = {}): string {
  return `name: ${name}
version: '${version}'
owner: { name: Intake desk, contact: intake@example.org }
identifiers:
  account: { kind: scope, normalise: [], format: 'ACC-[0-9]{6}' }
  reference: { kind: key, normalise: [nfkc, case-fold, strip-separators] }
status: { reusable: [closed], follow: [] }
freshnessMs: 60000
policy: ${policy}
target: { name: service-request, kind: own-table, policyId: ${policyId} }
sources:
  - name: ledger
    role: deciding
    method: exact-lookup
    authority: original
    lagMaxMs: 0
    drift: snapshot
    attestation: { by: sample owner, until: '2099-01-01T00:00:00.000Z' }
    connect:
      type: postgres
      url: { env: LACUNA_SOURCE_SAMPLE_DATABASE_URL }
      table: { schema: sample, name: service_request }
      id: id
      fields: { account: account, reference: reference }
`;
}

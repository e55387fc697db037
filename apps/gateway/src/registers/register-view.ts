import type { RegisterDetailView, RegisterView } from './register.dto.js';
import type { RegisterRow } from './register-table.js';

export function registerView({ name, version, hash, published_at, body }: RegisterRow): RegisterView {
  return {
    name,
    version,
    hash,
    publishedAt: published_at.toISOString(),
    owner: body.owner.name,
    policy: body.policy,
    target: body.target?.name ?? null,
    identifiers: Object.entries(body.identifiers).map(([identifier, rule]) => ({
      name: identifier,
      kind: rule.kind,
      optional: rule.optional === true,
      format: rule.format ?? null,
    })),
    sources: body.sources.map((source) => ({ name: source.name, role: source.role, method: source.method })),
  };
}

/** How sources are reached names hosts and credentials: it is nobody's business here. */
export function registerDetailView(row: RegisterRow): RegisterDetailView {
  const sources = row.body.sources.map((source) => Object.fromEntries(Object.entries(source).filter(([member]) => member !== 'connect')));
  return { ...registerView(row), register: { ...row.body, sources } };
}

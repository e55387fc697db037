import type { Completeness } from '../questions/answer.dto.js';
import type { RegisterDetailView, RegisterList, RegisterView } from './register.dto.js';
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

/** Registers are gateway's own rows: no reading is behind them. */
const whole = (advice: string): Completeness => ({ partial: false, coverage: 'complete', from_clamped: false, advice });

/** @param rows one more than are shown, where there are more */
export function registerList(rows: readonly RegisterRow[], rowsMax: number): RegisterList {
  const items = rows.slice(0, rowsMax).map(registerView);
  if (rows.length <= rowsMax) return { ...whole('Every register that can be asked is listed.'), items };
  const advice = `Only the first ${rowsMax} names are listed: ask for others by name.`;
  return { partial: true, coverage: 'range_too_wide', from_clamped: false, advice, items };
}

/** How sources are reached names hosts and credentials: it is nobody's business here. */
export function registerDetailView(row: RegisterRow): RegisterDetailView {
  const sources = row.body.sources.map((source) => Object.fromEntries(Object.entries(source).filter(([member]) => member !== 'connect')));
  return { ...whole('This version is used for new questions.'), ...registerView(row), register: { ...row.body, sources } };
}

/**
 * The header `Link` (RFC 8288, 3). Whatever does not follow its grammar makes the whole header unreadable: a next page that cannot be read
 * is not the absence of one.
 */
export interface Link {
  readonly target: string;
  /** Lower case. */
  readonly relations: readonly string[];
}

const LINKS_MAX = 100;

/** Null: the header cannot be read. */
export const parseLinks = (header: string): readonly Link[] | null => {
  const reader = new LinkReader(header);
  const links: Link[] = [];
  for (reader.skip(/[\s,]*/y); !reader.isAtEnd(); reader.skip(/[\s,]*/y)) {
    const link = reader.link();
    if (link === null || links.push(link) > LINKS_MAX) return null;
  }
  return links;
};

/** The target of the link of that relation; undefined: there is none; null: the header cannot be read, or names two targets. */
export const linkTarget = (header: string, relation: string): string | null | undefined => {
  const links = parseLinks(header);
  if (links === null) return null;
  const targets = new Set(links.filter(({ relations }) => relations.includes(relation.toLowerCase())).map(({ target }) => target));
  return targets.size > 1 ? null : [...targets][0];
};

class LinkReader {
  private at = 0;

  constructor(private readonly text: string) {}

  isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  skip(pattern: RegExp): string {
    return this.take(pattern) ?? '';
  }

  link(): Link | null {
    const target = this.take(/<([^<>]*)>/y)?.slice(1, -1);
    if (target === undefined) return null;
    let relations: readonly string[] | null = null;
    for (this.skip(/\s*/y); this.take(/;/y) !== null; this.skip(/\s*/y)) {
      this.skip(/\s*/y);
      const parameter = this.parameter();
      if (parameter === null) return null;
      if (parameter.name !== 'rel' || relations !== null) continue;
      // A relation without a value says that there is a link, and not which.
      if (parameter.value === null || parameter.value.trim() === '') return null;
      relations = parameter.value.toLowerCase().trim().split(/\s+/);
    }
    const isWhole = this.isAtEnd() || this.text[this.at] === ',';
    return isWhole ? { target, relations: relations ?? [] } : null;
  }

  /** An empty one (`;;`) has no name. */
  private parameter(): { readonly name: string; readonly value: string | null } | null {
    const name = this.take(/[^\s=;,"<>]+/y);
    if (name === null) return /[;,]|^$/.test(this.text[this.at] ?? '') ? { name: '', value: null } : null;
    this.skip(/\s*/y);
    if (this.take(/=/y) === null) return { name: name.toLowerCase(), value: null };
    this.skip(/\s*/y);
    const value =
      this.take(/"(?:[^"\\]|\\.)*"/y)
        ?.slice(1, -1)
        .replaceAll(/\\(.)/g, '$1') ?? this.take(/[^\s;,"]+/y);
    return value === null ? null : { name: name.toLowerCase(), value };
  }

  private take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) return null;
    this.at += found.length;
    return found;
  }
}

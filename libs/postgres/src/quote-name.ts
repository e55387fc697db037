/** A name of ours as an SQL identifier. Only plain lower-case names are accepted: nothing to escape, nothing to inject. */
export function quoteName(name: string): string {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name)) throw new Error(`"${name}" is not a name for SQL: lower-case letters, digits and underscores`);
  return name;
}

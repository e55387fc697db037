/** Readers of one configuration value: text in, value out, or an error that says what would be right. */

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The text is not a value of this key; the message completes "<KEY> ...". */
export class ConfigValueError extends Error {}

export const text = (value: string): string => value;

export function wholeNumber(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max) throw new ConfigValueError(`must be a whole number from ${min} to ${max}`);
    return number;
  };
}

export function oneOf<const T extends string>(...allowed: readonly T[]): (value: string) => T {
  return (value) => {
    const found = allowed.find((one) => one === value);
    if (found === undefined) throw new ConfigValueError(`must be one of ${allowed.join(', ')}`);
    return found;
  };
}

export function url(...protocols: readonly string[]): (value: string) => string {
  return (value) => {
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol))
      throw new ConfigValueError(`must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
    return value;
  };
}

/** `host:port,host:port`. */
export function addresses(value: string): readonly string[] {
  const parts = value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const wrong = parts.find((part) => !/^(\[[0-9a-f:]+\]|[A-Za-z0-9.-]+):\d{1,5}$/i.test(part));
  if (wrong !== undefined) throw new ConfigValueError(`must be a comma list of host:port; "${wrong}" is not one`);
  return parts;
}

/** `tenant,tenant`; each a lower-case name. */
export function tenantIds(value: string): readonly string[] {
  const ids = value.split(',').map((id) => id.trim());
  const wrong = ids.find((id) => !/^[a-z0-9][a-z0-9-]{0,62}$/.test(id));
  if (wrong !== undefined)
    throw new ConfigValueError(`must be a comma list of lower-case letters, digits and hyphens; "${wrong}" is not one`);
  return [...new Set(ids)];
}

export function secret(charactersMin: number): (value: string) => string {
  return (value) => {
    if (value.length < charactersMin) throw new ConfigValueError(`must have at least ${charactersMin} characters`);
    return value;
  };
}

/** `point` or `point@n`: the n-th passage of it. */
export function crashPoint(value: string): string {
  if (!/^[a-z][a-z0-9-]*(@[1-9]\d{0,6})?$/.test(value))
    throw new ConfigValueError('must be a crash point: name, or name@n for its n-th passage');
  return value;
}

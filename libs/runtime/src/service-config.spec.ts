import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configKeys } from './config-keys.js';
import { ConfigError } from './config-value.js';
import { configHelp, loadConfig } from './service-config.js';

describe('the configuration', () => {
  it('has a value for every key when nothing is set; fails when a fresh clone cannot start', () => {
    const config = loadConfig('verdict', {});
    expect(Object.keys(config).sort()).toEqual(['service', ...Object.keys(configKeys)].sort());
    expect(config).toMatchObject({
      service: 'verdict',
      log: 'postgres',
      httpHost: '127.0.0.1',
      httpPort: 0,
      partitions: 3,
      serviceToken: null,
    });
  });

  it.each([
    [{ LACUNA_HTTP_PORT: '70000' }, 'LACUNA_HTTP_PORT must be a whole number from 0 to 65535'],
    [{ LACUNA_HTTP_PORT: '8080x' }, 'LACUNA_HTTP_PORT must be a whole number from 0 to 65535'],
    [{ LACUNA_LOG: 'redis' }, 'LACUNA_LOG must be one of postgres, kafka'],
    [{ LACUNA_LOG: 'kafka' }, 'LACUNA_LOG is kafka, but no broker is named: set LACUNA_KAFKA_BROKERS=host:port'],
    [{ LACUNA_KAFKA_BROKERS: 'kafka' }, 'LACUNA_KAFKA_BROKERS must be a comma list of host:port; "kafka" is not one'],
    [{ LACUNA_KAFKA_SASL: 'plain' }, 'LACUNA_KAFKA_SASL is plain: set LACUNA_KAFKA_USER and LACUNA_KAFKA_PASSWORD too'],
    [{ LACUNA_KAFKA_CA_FILE: '/ca.pem' }, 'LACUNA_KAFKA_CA_FILE is set, but LACUNA_KAFKA_TLS is off: set LACUNA_KAFKA_TLS=on'],
    [{ LACUNA_DATABASE_URL: 'localhost' }, 'LACUNA_DATABASE_URL must be a URL that begins with postgres:// or postgresql://'],
    [{ LACUNA_SERVICE_TOKEN: 'short' }, 'LACUNA_SERVICE_TOKEN must have at least 16 characters'],
    [{ LACUNA_TENANTS: 'acme,Other' }, 'LACUNA_TENANTS must be a comma list of lower-case letters, digits and hyphens; "Other" is not one'],
    [{ LACUNA_CRASH_POINT: 'x@0' }, 'LACUNA_CRASH_POINT must be a crash point: name, or name@n for its n-th passage'],
    [{ LACUNA_SERVICE_TOKEN_FILE: '/no/such/file' }, 'LACUNA_SERVICE_TOKEN_FILE names /no/such/file, which cannot be read (ENOENT)'],
  ])('says in one line what to set for %o; fails when a wrong value is taken or the line names no key', (env, line) => {
    const load = () => loadConfig('verdict', env);
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(line);
    expect(line).not.toContain('\n');
  });

  it('never shows a secret in an error; fails when a password reaches the console', () => {
    expect(() => loadConfig('verdict', { LACUNA_DATABASE_URL: 'mysql://u:hunter2@h/d' })).toThrow(/^(?!.*hunter2)/);
  });

  it('reads a secret from a file and drops its last line end; fails when a mounted secret never matches', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'lacuna-config-')), 'token');
    writeFileSync(file, 'a-token-of-enough-length\n');
    expect(loadConfig('verdict', { LACUNA_SERVICE_TOKEN_FILE: file }).serviceToken).toBe('a-token-of-enough-length');
    const both = { LACUNA_SERVICE_TOKEN_FILE: file, LACUNA_SERVICE_TOKEN: 'a-token-of-enough-length' };
    expect(() => loadConfig('verdict', both)).toThrow('keep one');
  });

  it('takes an empty variable as not set, and KAFKA_BROKERS where the own key is not set', () => {
    const env = { LACUNA_LOG: 'kafka', LACUNA_KAFKA_BROKERS: '', KAFKA_BROKERS: 'a:9092, [::1]:9093', LACUNA_HTTP_PORT: '' };
    expect(loadConfig('verdict', env)).toMatchObject({ kafkaBrokers: ['a:9092', '[::1]:9093'], httpPort: 0 });
  });

  it('explains every key, once; fails when a key is read and not documented', () => {
    const lines = configHelp().trimEnd().split('\n');
    expect(lines.map((line) => line.split(' ')[0])).toEqual(Object.values(configKeys).map(({ name }) => name));
  });
});

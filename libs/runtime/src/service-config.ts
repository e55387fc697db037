/** The configuration of one service, from the environment; the same keys in all ways to run it. */
import { readFileSync } from 'node:fs';
import type { Service } from '@lacuna/events';
import { configKeys, type ConfigKey } from './config-keys.js';
import { ConfigError, ConfigValueError } from './config-value.js';

type Keys = typeof configKeys;
type Value<K> = K extends { readonly read: (value: string) => infer T; readonly missing: infer M }
  ? M extends null
    ? T | null
    : T
  : never;

/** One member per key of `configKeys`. */
export type ServiceConfig = { readonly service: Service } & { readonly [K in keyof Keys]: Value<Keys[K]> };

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws ConfigError, one line: which key, what is wrong, what to set. */
export function loadConfig(service: Service, env: Environment = process.env): ServiceConfig {
  const values = Object.entries(configKeys).map(([member, key]) => [member, valueOf(key, env)]);
  const config = { service, ...Object.fromEntries(values) } as ServiceConfig;
  if (config.log === 'kafka' && config.kafkaBrokers.length === 0)
    throw new ConfigError('LACUNA_LOG is kafka, but no broker is named: set LACUNA_KAFKA_BROKERS=host:port');
  if (config.kafkaSasl !== 'none' && (config.kafkaUser === null || config.kafkaPassword === null))
    throw new ConfigError(`LACUNA_KAFKA_SASL is ${config.kafkaSasl}: set LACUNA_KAFKA_USER and LACUNA_KAFKA_PASSWORD too`);
  if (config.kafkaCaFile !== null && config.kafkaTls !== 'on')
    throw new ConfigError('LACUNA_KAFKA_CA_FILE is set, but LACUNA_KAFKA_TLS is off: set LACUNA_KAFKA_TLS=on');
  return config;
}

/** All keys, one per line, for `--help` and the manual. */
export function configHelp(): string {
  const width = Math.max(...Object.values(configKeys).map((key) => key.name.length));
  const lines = Object.values<ConfigKey<unknown>>(configKeys).map((key) => {
    const notes = [
      key.missing ? `default ${key.missing}` : null,
      key.alias ? `also ${key.alias}` : null,
      key.isSecret ? `or ${key.name}_FILE, a file that holds it` : null,
    ].filter((note) => note !== null);
    return `${key.name.padEnd(width)}  ${key.meaning}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`;
  });
  return `${lines.join('\n')}\n`;
}

function valueOf(key: ConfigKey<unknown>, env: Environment): unknown {
  const found = given(key, env) ?? key.missing;
  if (found === null) return null;
  try {
    return key.read(found);
  } catch (error) {
    if (error instanceof ConfigValueError) throw new ConfigError(`${key.name} ${error.message}`);
    throw error;
  }
}

/** An empty variable counts as not set: compose files and charts write them so. */
function given(key: ConfigKey<unknown>, env: Environment): string | null {
  const direct = env[key.name] || (key.alias && env[key.alias]) || null;
  const file = key.isSecret ? env[`${key.name}_FILE`] || null : null;
  if (direct !== null && file !== null) throw new ConfigError(`${key.name} and ${key.name}_FILE are both set: keep one`);
  return file === null ? direct : contentOf(`${key.name}_FILE`, file);
}

function contentOf(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trimEnd();
  } catch (error) {
    throw new ConfigError(`${name} names ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`);
  }
}

/** docker-compose.yml as docker compose's own loader reads it, held against what the services know and what Kafka's launcher sets. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configKeys, type ConfigKey } from '@lacuna/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canLoadCompose, composeLoader } from '../tools/compose-check/compose-check.mjs';
import { kafkaSettings, toContainerEnv } from '../tools/kafka/kafka-settings.mjs';

interface Service {
  readonly image: string;
  readonly build?: object;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly { readonly source: string; readonly target: string }[];
  readonly volumes?: readonly { readonly source: string; readonly target: string; readonly read_only?: boolean }[];
  readonly ports?: readonly { readonly host_ip?: string; readonly target: number; readonly published: string }[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly restart?: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly privileged?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
}

interface Project {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const composeFile = join(root, 'docker-compose.yml');
const LACUNA = ['gateway', 'search-runner', 'verdict', 'write-guard', 'notifier'];
const ONE_SHOTS = ['topics', 'sample-table'];

// With CI set a missing loader is a failure: the build of it then says why.
describe.skipIf(!canLoadCompose() && !process.env['CI'])('the compose file, read by the loader of docker compose (needs Go)', () => {
  let load: Awaited<ReturnType<typeof composeLoader>>;
  let project: Project;
  let services: [string, Service][];
  const folder = mkdtempSync(join(tmpdir(), 'lacuna-compose-'));

  beforeAll(async () => {
    load = await composeLoader();
    const loaded = await load(composeFile);
    if (!loaded.ok) throw new Error(loaded.reason);
    project = loaded.project;
    services = Object.entries(project.services);
  }, 660_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const broken = (from: string, to: string) => {
    const text = readFileSync(composeFile, 'utf8');
    expect(text).toContain(from);
    const file = join(folder, 'broken.yml');
    writeFileSync(file, text.replace(from, to));
    return load(file);
  };

  it('has the five services, what they stand on, and the sample; fails when one is left out', () => {
    const expected = [...LACUNA, ...ONE_SHOTS, 'kafka', 'postgres', 'sample-source'];
    expect(services.map(([name]) => name).sort()).toEqual(expected.sort());
  });

  it.each([
    ['an undefined network', 'networks: [inside, outside]', 'networks: [inside, nowhere]', /nowhere/],
    ['an undefined secret', 'secrets: [sample_owner_url]', 'secrets: [never_made]', /never_made/],
    ['an undefined volume', '- signing-key:/var/lib/lacuna/keys:ro', '- no-such-volume:/var/lib/lacuna/keys:ro', /no-such-volume/],
    ['an unknown member', 'cap_drop: [ALL]', 'cap_dorp: [ALL]', /cap_dorp/],
    [
      'a dependency on nobody',
      'sample-source: { condition: service_healthy }',
      'sample-sauce: { condition: service_healthy }',
      /sample-sauce/,
    ],
  ])('is refused with %s; fails when the loader accepts everything and so shows nothing', async (_, from, to, reason) => {
    expect(await broken(from, to)).toEqual({ ok: false, reason: expect.stringMatching(reason) });
  });

  it('sets only keys that a service knows or a register names; fails on a key with a typing error, which a service would pass over', () => {
    const known = new Set([...knownKeys(), ...registerVariables()]);
    const unknown = services
      .filter(([, { image }]) => image.startsWith('lacuna:'))
      .flatMap(([name, { environment = {} }]) =>
        Object.keys(environment)
          .filter((key) => !known.has(key) && !(key.endsWith('_FILE') && known.has(key.slice(0, -'_FILE'.length))))
          .map((key) => `${name}: ${key}`),
      );
    expect(unknown).toEqual([]);
  });

  it('gives each service a file for every secret, and the file is there; fails when a password stands in the environment', () => {
    const secret = /PASSWORD|TOKEN|SECRET|DATABASE_URL|API_KEY/;
    for (const [name, { environment = {}, secrets = [] }] of services) {
      for (const [key, value] of Object.entries(environment).filter(([key]) => secret.test(key))) {
        expect(`${name}: ${key}`).toMatch(/_FILE$/);
        expect(secrets.map(({ target, source }) => target ?? `/run/secrets/${source}`)).toContain(value);
      }
      expect(JSON.stringify(environment)).not.toMatch(/:\/\/[^/"]+:[^/"]+@/);
    }
  });

  it('makes every secret that it names; fails when the script and the file part', () => {
    const secrets = join(folder, 'secrets');
    const script = join(root, 'deploy/compose/make-secrets.sh');
    execFileSync('sh', [script, secrets]);
    const made = readdirSync(secrets).sort();
    expect(made).toEqual(Object.keys(project.secrets).sort());
    expect(statSync(secrets).mode & 0o077).toBe(0);
    const first = made.map((name) => readFileSync(join(secrets, name), 'utf8'));
    execFileSync('sh', [script, secrets]);
    expect(made.map((name) => readFileSync(join(secrets, name), 'utf8'))).toEqual(first);
    expect(new Set(first).size).toBe(made.length);
  });

  it('sets Kafka as the launcher of the tests does; fails when one of the two is changed alone', () => {
    const node = { port: 9092, controllerPort: 9093, listenOn: '0.0.0.0', logFolder: '/var/lib/kafka/data' };
    const settings = kafkaSettings(node, { 'advertised.listeners': 'PLAINTEXT://kafka:9092' });
    const expected = Object.fromEntries(toContainerEnv(settings).map((line) => line.split(/=(.*)/s).slice(0, 2)));
    const { CLUSTER_ID: clusterId, KAFKA_HEAP_OPTS: _, ...actual } = project.services['kafka']?.environment ?? {};
    expect(actual).toEqual(expected);
    expect(Buffer.from(clusterId ?? '', 'base64url')).toHaveLength(16);
  });

  it('publishes gateway alone, on this machine alone', () => {
    const published = services.flatMap(([name, { ports = [] }]) =>
      ports.map((port) => ({ name, host: port.host_ip, port: port.published })),
    );
    expect(published).toEqual([{ name: 'gateway', host: '127.0.0.1', port: '8080' }]);
  });

  it('contains every container; fails when one can write its root, has a capability, or runs an image that changes under its tag', () => {
    for (const [name, service] of services) {
      expect({ name, ...pick(service) }).toEqual({
        name,
        read_only: true,
        cap_drop: ['ALL'],
        cap_add: undefined,
        privileged: undefined,
        security_opt: ['no-new-privileges:true'],
      });
      expect(service.image).toMatch(/^[a-z/]+:\d[\w.]*$/);
      expect(service.restart).toMatch(ONE_SHOTS.includes(name) ? /^on-failure/ : /^unless-stopped$/);
    }
  });

  it('asks every container whether it is well, and starts none before what it needs', () => {
    for (const [name, { healthcheck }] of services) {
      if (!ONE_SHOTS.includes(name)) expect(`${name} ${healthcheck?.test?.[0]}`).toBe(`${name} CMD`);
    }
    for (const name of LACUNA) {
      expect(project.services[name]?.depends_on).toMatchObject({
        postgres: { condition: 'service_healthy' },
        kafka: { condition: 'service_healthy' },
        topics: { condition: 'service_completed_successfully' },
      });
    }
    expect(project.services['search-runner']?.depends_on).toMatchObject({ 'write-guard': { condition: 'service_healthy' } });
  });

  it('runs programs that are in the image; fails when a main file is renamed', () => {
    for (const [name, { image, command = [] }] of services.filter(([, service]) => service.image.startsWith('lacuna:'))) {
      const source = (command[0] ?? '').replace('/dist/', '/src/').replace(/\.js$/, '.ts');
      expect(`${name}: ${statSync(join(root, source)).isFile()}, ${image}`).toBe(`${name}: true, lacuna:0.1.0`);
    }
  });

  it('lets nobody but verdict at the private key, and nobody write the registers', () => {
    const users = services.filter(([, { volumes = [] }]) => volumes.some(({ source }) => source === 'signing-key'));
    expect(users.map(([name, { user }]) => [name, user])).toEqual([
      ['gateway', '1001:1001'],
      ['verdict', undefined],
    ]);
    const mounts = services.flatMap(([, { volumes = [] }]) => volumes.filter(({ target }) => target === '/etc/lacuna/registers'));
    expect(mounts).toMatchObject([{ read_only: true }]);
  });

  const pick = ({ read_only, cap_drop, cap_add, privileged, security_opt }: Service) => ({
    read_only,
    cap_drop,
    cap_add,
    privileged,
    security_opt,
  });
});

function knownKeys(): string[] {
  return Object.values<ConfigKey<unknown>>(configKeys).map(({ name }) => name);
}

/** Variables that the example registers read secrets and addresses from. */
function registerVariables(): string[] {
  const folder = join(root, 'registers');
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  return texts.flatMap((text) => [...text.matchAll(/\{ env: ([A-Z_]+) \}/g)].map(([, name]) => name ?? ''));
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aRegisterFile } from './a-register-file.js';
import { startGateway, topics, type RunningGateway } from './running-gateway.js';

describe('the start of gateway', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  it('publishes a register once per tenant and again only when it changed; fails when every start makes a version', async () => {
    const published = async () =>
      (await gateway.published(topics.registers)).map(({ data }) => data as { tenantId: string; registerHash: string });
    const first = await published();
    expect(first.map(({ tenantId }) => tenantId).sort()).toEqual(['t1', 't2']);
    await (await gateway.start()).stop();
    expect(await published()).toHaveLength(2);

    await writeFile(join(gateway.folder, 'service-requests.yaml'), aRegisterFile({ version: '2' }));
    await (await gateway.start()).stop();
    expect(await published()).toHaveLength(4);
    const key = await gateway.keyOf('t1');
    const listed = await gateway.api.get('/v1/registers').set(key).expect(200);
    expect(Object.keys(listed.body).slice(0, 3)).toEqual(['partial', 'coverage', 'from_clamped']);
    expect(listed.body.items).toMatchObject([{ name: 'service-requests', version: '2' }]);

    await writeFile(join(gateway.folder, 'service-requests.yaml'), aRegisterFile());
    await (await gateway.start()).stop();
    expect(await published()).toHaveLength(4);
    const back = await gateway.api.get('/v1/registers/service-requests').set(key).expect(200);
    expect(back.body).toMatchObject({ version: '1', hash: first[0]?.registerHash });
    expect(JSON.stringify(back.body)).not.toContain('LACUNA_SOURCE');
  });

  it('describes itself as OpenAPI 3.1 with ids for every operation, without a key', async () => {
    const { body } = await gateway.api.get('/docs-json').expect(200);
    expect(body.openapi).toBe('3.1.0');
    expect(body.paths['/v1/questions'].post.operationId).toBe('questions_ask');
    expect(body.components.schemas.AnswerView.required.slice(0, 4)).toEqual(['partial', 'coverage', 'from_clamped', 'advice']);
    expect(body.components.schemas.AskQuestionBody.properties.kind.enum).toEqual(['exists', 'gone', 'enumerate']);
  });

  it('describes what clients rely on; fails when a generated client lacks a member or a bound', async () => {
    const { body } = await gateway.api.get('/docs-json').expect(200);
    const { schemas, securitySchemes } = body.components;
    expect(securitySchemes.bearer.bearerFormat).toBe('lk_');
    expect(schemas.ProblemView.required).toEqual(expect.arrayContaining(['code', 'instance']));
    for (const value of schemas.AnswerView.properties.coverage.enum as string[])
      expect(schemas.AnswerView.properties.coverage.description).toContain(`\`${value}\``);
    for (const name of ['CaseView', 'CaseList', 'RegisterList', 'RegisterDetailView'])
      expect(schemas[name].required, name).toEqual(expect.arrayContaining(['partial', 'coverage', 'from_clamped']));
    for (const [path, method] of [
      ['questions', 'get'],
      ['cases', 'get'],
      ['cases/{id}/decisions', 'post'],
    ] as const)
      expect(body.paths[`/v1/${path}`][method].responses, path).toHaveProperty('400');
    const wait = body.paths['/v1/questions'].post.parameters.find(({ name }: { name: string }) => name === 'wait');
    expect(wait.schema).toEqual({ type: 'integer', minimum: 0, maximum: 60, default: 0 });
  });

  it('sends a browser from its address to the description', async () => {
    const { headers } = await gateway.api.get('/').expect(302);
    expect(headers['location']).toBe('/docs');
  });

  it('serves a page that loads nothing from elsewhere; fails when the documentation needs the internet', async () => {
    const page = await gateway.api.get('/docs').expect(200);
    const sources = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source as string);
    expect(sources.length).toBeGreaterThan(2);
    for (const source of sources) {
      expect(source).not.toMatch(/^(https?:)?\/\//);
      expect((await gateway.api.get(new URL(source, `${gateway.url}/docs`).pathname)).status, source).toBe(200);
    }
    const script = await gateway.api.get('/docs/swagger-ui-init.js').expect(200);
    expect(script.text).toContain('"validatorUrl": null');
  });

  it('answers health without a key', async () => {
    await gateway.api.get('/healthz').expect(200);
    await gateway.api.get('/readyz').expect(200);
  });
});

it('the start is refused with every bad file in one line each, and publishes none; fails when the good half goes out', async () => {
  const files = {
    'a.yaml': aRegisterFile().replace('policy: auto', 'policy: sometimes'),
    'b.yaml': 'name: [',
    'c.yaml': aRegisterFile({ name: 'good' }),
  };
  const refused = await startGateway({ files }).then(
    () => null,
    (error: Error) => error,
  );
  expect(refused?.name).toBe('StartError');
  const lines = refused?.message.split('\n') ?? [];
  expect(lines.some((line) => /a\.yaml:\d+:\d+: .*policy/.test(line))).toBe(true);
  expect(lines.some((line) => /b\.yaml:\d+:\d+: /.test(line))).toBe(true);
  expect(lines.some((line) => /c\.yaml/.test(line))).toBe(false);
});

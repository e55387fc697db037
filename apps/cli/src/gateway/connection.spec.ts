import { describe, expect, it } from 'vitest';
import { connectionOf } from './connection.js';

const key = { LACUNA_API_KEY: 'lk_x' };

describe('where gateway is', () => {
  it.each([
    ['what the option says', 'https://a.example/base', { LACUNA_URL: 'http://b.example' }, 'https://a.example/base/'],
    ['what LACUNA_URL says', undefined, { LACUNA_URL: 'http://b.example' }, 'http://b.example/'],
    ['this machine', undefined, {}, 'http://127.0.0.1:8080/'],
  ])('is %s', async (_, option, env, url) => {
    expect(await connectionOf(option, { ...env, ...key })).toEqual({ url, apiKey: 'lk_x' });
  });

  it.each(['127.0.0.1:8080', 'ftp://x', 'http://me:secret@x'])('is never %s', async (url) => {
    const error = await connectionOf(url, key).catch((error: Error) => error);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).not.toContain('secret');
  });
});

describe('the key', () => {
  it.each([
    ['is missing', {}, /LACUNA_API_KEY/],
    ['is given twice', { ...key, LACUNA_API_KEY_FILE: '/x' }, /keep one/],
    ['stands in a file that is not there', { LACUNA_API_KEY_FILE: '/no/such/file' }, /ENOENT/],
  ])('that %s is said so', async (_, env, reason) => {
    await expect(connectionOf(undefined, env)).rejects.toThrow(reason);
  });

  it('that no header can carry is refused without being shown; fails when a pasted line break ends in a stack, or the key in a log', async () => {
    const error = await connectionOf(undefined, { LACUNA_API_KEY: 'lk_hidden\nlk_covered' }).catch((error: Error) => error);
    expect((error as Error).message).toMatch(/copy it again/);
    expect((error as Error).message).not.toMatch(/hidden|covered/);
  });
});

import { readFileSync } from 'node:fs';
import { hashedRegister, parseRegisterFile, search, secretsOf } from '@lacuna/connectors';
import { decide, type Decision } from '@lacuna/evidence';

export const ask = async (file: string, host: string, email: string): Promise<Decision> => {
  const parsed = parseRegisterFile(readFileSync(file, 'utf8'), file);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const register = hashedRegister(parsed.register);
  const question = { identifiers: [{ name: 'email', value: email }] };
  const reach = { secrets: secretsOf(process.env), egress: { hosts: new Set([host]), networks: [] } };
  const { evidence } = await search({ register, question, reach });
  return decide(evidence, register, new Date().toISOString());
};

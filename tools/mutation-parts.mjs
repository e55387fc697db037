/**
 * The core in two parts, each tried with its own specs: a mutant of what reaches verdicts need not wait for specs that go through all
 * characters of Unicode. Every file of libs/evidence but the list of exports and the catalogue (sentences and a closed table) is in one part.
 */
const CORE = 'libs/evidence/src';
const VALUES = '{normalise,normaliser-text,normaliser-versions,compare-row,key-parts,instant}';

/** @type {Record<string, { mutate: string[], include: string[], exclude: string[] }>} */
export const mutationParts = {
  verdicts: {
    mutate: [`${CORE}/*.ts`, `!${CORE}/*.spec.ts`, `!${CORE}/{index,catalogue}.ts`, `!${CORE}/${VALUES}.ts`],
    include: [`${CORE}/*.spec.ts`],
    exclude: [`**/{invariants,spellings,normalise,normaliser-versions,instant}.spec.ts`],
  },
  values: {
    mutate: [`${CORE}/${VALUES}.ts`, `${CORE}/normal-form/*.ts`, `!${CORE}/normal-form/*.spec.ts`],
    include: [`${CORE}/${VALUES}.spec.ts`, `${CORE}/hint-rank.spec.ts`, `${CORE}/normal-form/*.spec.ts`],
    exclude: [],
  },
};

/** The part that is being run; `verdicts` unless LACUNA_MUTATION_PART says otherwise. */
export const mutationPart = () => {
  const name = process.env.LACUNA_MUTATION_PART ?? 'verdicts';
  const part = mutationParts[name];
  if (!part) throw new Error(`LACUNA_MUTATION_PART is ${name}; it may be ${Object.keys(mutationParts).join(' or ')}`);
  return { name, ...part };
};

/**
 * Works through control jobs: checks all controls of a register version, keeps what came of it, and comes again well before that is too old.
 * Questions read the kept results and never check anything themselves.
 */
import { checkControls, type ControlsInput, type DocumentSource, type HashedRegister, type SourceReader } from '@lacuna/connectors';
import type { AskedIdentifier } from '@lacuna/evidence';
import type { Database, JobLease, JobQueue, LeasedJob } from '@lacuna/messaging';
import { registerVersions } from '@lacuna/postgres';
import { isNewestVersion, keepChecks } from './control-store.js';

/** Checks within one age, so that one or two may come to nothing. */
const CHECKS_PER_AGE = 3;
/** A check that did not find all controls is repeated after this, at the latest: what holds all questions must heal soon. */
const DOUBTED_DELAY_MS = 30_000;
const CHECK_MS_MAX = 300_000;

export interface ControlCheckerInput extends Pick<ControlsInput, 'clock' | 'sleep' | 'random' | 'told'> {
  readonly database: Database;
  readonly jobs: JobQueue;
  readonly newReader: (
    register: HashedRegister,
    source: DocumentSource,
    asked: { readonly tenantId: string; readonly identifiers: AskedIdentifier[] },
  ) => SourceReader;
}

export class ControlChecker {
  constructor(private readonly input: ControlCheckerInput) {}

  async run(job: LeasedJob, lease: JobLease): Promise<void> {
    const { tenantId, key: registerHash } = job;
    const register = await this.#register(tenantId, registerHash);
    const ageMaxMs = register?.controls?.ageMaxMs;
    if (!register || ageMaxMs === undefined) return this.#settle(job);
    const { clock, sleep, random, told, newReader } = this.input;
    const checks = await checkControls({
      register,
      newReader: (source, identifiers) => newReader(register, source, { tenantId, identifiers: [...identifiers] }),
      signal: AbortSignal.any([lease.signal, AbortSignal.timeout(CHECK_MS_MAX)]),
      ...{ clock, sleep, random, told },
    });
    if (lease.signal.aborted) return;
    const regularMs = Math.floor(ageMaxMs / CHECKS_PER_AGE);
    const delayMs = checks.every(({ result }) => result === 'found') ? regularMs : Math.min(regularMs, DOUBTED_DELAY_MS);
    await this.input.database.transaction(async (tx) => {
      await tx.actFor(tenantId);
      const again = await isNewestVersion(tx, tenantId, registerHash);
      const isMine = again
        ? await this.input.jobs.postpone(tx, job, new Date(clock.now().getTime() + delayMs))
        : await this.input.jobs.settle(tx, job);
      // Somebody else has the job, and keeps what comes of it.
      if (isMine) await keepChecks(tx, tenantId, registerHash, checks);
    });
  }

  #register(tenantId: string, registerHash: string): Promise<HashedRegister | undefined> {
    return this.input.database.transaction(async (tx) => {
      await tx.actFor(tenantId);
      return (await registerVersions<HashedRegister>(tx, tenantId, [registerHash])).get(registerHash);
    });
  }

  async #settle(job: LeasedJob): Promise<void> {
    await this.input.database.transaction((tx) => this.input.jobs.settle(tx, job));
  }
}

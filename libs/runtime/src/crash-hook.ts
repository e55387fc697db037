import type { CrashHook } from '@lacuna/messaging';

/** Kills this process, as `kill -9` does, at the n-th passage of the named point (`point` or `point@n`). Tests only. */
export function crashHook(setting: string | null, kill: () => void = killSelf): CrashHook {
  if (setting === null) return () => undefined;
  const [point, passage = '1'] = setting.split('@');
  let left = Number(passage);
  return (passed) => {
    if (passed !== point) return;
    left -= 1;
    if (left === 0) kill();
  };
}

function killSelf(): void {
  process.kill(process.pid, 'SIGKILL');
}

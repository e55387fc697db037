/** What did not end in its time. */
export class OverdueError extends Error {
  override readonly name = 'OverdueError';
}

/** The work's outcome, or an OverdueError after `ms`; the work itself goes on unheard. */
export async function within<T>(ms: number, sentence: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new OverdueError(sentence)), ms);
  });
  try {
    return await Promise.race([work, overdue]);
  } finally {
    clearTimeout(timer);
  }
}

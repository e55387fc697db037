import { createServer } from 'node:net';

/** @throws an error of one line, before anything is started, when the port of 127.0.0.1 cannot be listened on. Port 0 is always free. */
export async function assertPortIsFree(port: number): Promise<void> {
  if (port === 0) return;
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new Error(problemOf(port, error.code))));
    server.listen(port, '127.0.0.1', resolve);
  });
  await new Promise((resolve) => server.close(resolve));
}

const problemOf = (port: number, code: string | undefined): string =>
  code === 'EADDRINUSE'
    ? `port ${port} is in use by another program: stop that one, or choose another port with --port`
    : `port ${port} cannot be listened on (${code}): choose another with --port`;

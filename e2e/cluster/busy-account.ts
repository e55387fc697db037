import pg from 'pg';

/** An account of the sample that has exactly 500 requests. */
export async function accountWith500(databaseUrl: string): Promise<string> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ account: string }>(
      'select account from sample.service_request group by account having count(*) = 500 order by account limit 1',
    );
    if (!rows[0]) throw new Error('the sample has no account with 500 requests');
    return rows[0].account;
  } finally {
    await client.end();
  }
}

/** The database as the delivery algorithm sees it: transactions, with bounds, that know which tenant they act for. */

/** One open transaction. SQL uses `$1` placeholders. */
export interface Transaction {
  /** Rows of a statement. @throws what the driver throws; failures are told apart by the failure table. */
  query<Row extends object = Record<string, unknown>>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>;
  /** From here on row-level security shows and accepts this tenant's rows only (`set_config('lacuna.tenant', ..., true)`). */
  actFor(tenantId: string): Promise<void>;
}

export interface Database {
  /** Runs `work` in one transaction with all time bounds set; commits when it resolves, rolls back when it rejects. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Answers when the server can be reached. @throws otherwise. */
  ping(): Promise<void>;
}

/** Time as an input. */
export interface Clock {
  now(): Date;
}

/** What delivery says to people: one object of facts, one sentence. pino's loggers fit. */
export interface DeliveryLogger {
  info(facts: object, sentence: string): void;
  warn(facts: object, sentence: string): void;
  error(facts: object, sentence: string): void;
}

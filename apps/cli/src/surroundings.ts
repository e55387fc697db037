/** What a command reads and writes besides its arguments. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The result: standard output. */
  readonly print: (text: string) => void;
  /** The same for bytes that must stay as they are. */
  readonly printBytes: (bytes: Uint8Array) => void;
  /** Remarks and errors: standard error. */
  readonly say: (line: string) => void;
  /** Standard output is a terminal that shows colours. */
  readonly hasColour: boolean;
}

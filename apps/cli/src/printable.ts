/** Text from elsewhere, for a terminal: what would move its cursor or change its colours is shown as an escape. */
export function printable(text: string): string {
  // C0 without tab and line feed, DEL, C1, and the marks that turn the direction of writing.
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, escaped);
}

/** The same on one line. */
export function printableLine(text: string): string {
  return printable(text).replaceAll(/[\t\n]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

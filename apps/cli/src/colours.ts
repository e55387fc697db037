import colours from 'picocolors';

export type Colours = ReturnType<typeof colours.createColors>;

export function coloursFor(hasColour: boolean): Colours {
  return colours.createColors(hasColour);
}

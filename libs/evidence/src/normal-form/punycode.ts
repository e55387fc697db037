/** The ASCII form of one label of a domain name: Punycode (RFC 3492) with the parameters of RFC 5891. */
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_CODE = 128;
/** No label of the domain name system is longer; encoding takes the square of the length. */
const LABEL_CHARACTERS_MAX = 63;

const digitOf = (value: number): string => String.fromCharCode(value < 26 ? value + 97 : value + 22);

const adapted = (delta: number, count: number, isFirst: boolean): number => {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2));
  rest += Math.floor(rest / count);
  let bias = 0;
  for (; rest > Math.floor(((BASE - T_MIN) * T_MAX) / 2); bias += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return bias + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
};

/** A number of variable length whose last digit is the first below its threshold. */
const variableLength = (delta: number, bias: number): string => {
  let text = '';
  let rest = delta;
  for (let place = BASE; ; place += BASE) {
    const threshold = Math.min(Math.max(place - bias, T_MIN), T_MAX);
    if (rest < threshold) return text + digitOf(rest);
    text += digitOf(threshold + ((rest - threshold) % (BASE - threshold)));
    rest = Math.floor((rest - threshold) / (BASE - threshold));
  }
};

const encoded = (codes: readonly number[]): string => {
  const basic = codes.filter((code) => code < INITIAL_CODE);
  let text = String.fromCharCode(...basic) + (basic.length > 0 ? '-' : '');
  let [delta, bias, done, reached] = [0, INITIAL_BIAS, basic.length, INITIAL_CODE];
  while (done < codes.length) {
    const next = Math.min(...codes.filter((code) => code >= reached));
    delta += (next - reached) * (done + 1);
    for (const code of codes) {
      if (code < next) delta += 1;
      if (code !== next) continue;
      text += variableLength(delta, bias);
      bias = adapted(delta, done + 1, done === basic.length);
      delta = 0;
      done += 1;
    }
    delta += 1;
    reached = next + 1;
  }
  return text;
};

/** The label as it is when it is ASCII already, or longer than a label can be. */
export const asciiLabel = (label: string): string => {
  const codes = Array.from(label, (character) => character.codePointAt(0) ?? 0);
  const isPlain = codes.every((code) => code < INITIAL_CODE) || codes.length > LABEL_CHARACTERS_MAX;
  return isPlain ? label : `xn--${encoded(codes)}`;
};

/** Text that is no JSON: in which line, and why. */
export class NotJson extends Error {
  override readonly name: string = 'NotJson';
  readonly line: number;

  constructor(line: number, reason: string, options?: ErrorOptions) {
    super(`this is not JSON: ${reason}`, options);
    this.line = line;
  }
}

/** @throws NotJson */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    // V8 adds the place, or an excerpt that may have line breaks.
    const reason = message.replace(
      /( in JSON)? at position.*|, (\.{3})?".*is not valid JSON$/s,
      '',
    );
    throw new NotJson(lineOfFault(text, message), reason, { cause: error });
  }
}

function lineOfFault(text: string, message: string): number {
  const position = positionIn(message) ?? positionOfFault(text);
  return text.slice(0, position).split('\n').length;
}

const positionIn = (message: string): number | undefined => {
  const [, digits] = /position (\d+)/.exec(message) ?? [];
  return digits === undefined ? undefined : Number(digits);
};

/** Where V8 does not say it: the end of the longest beginning that could still become JSON. */
function positionOfFault(text: string): number {
  let [sound, faulty] = [0, text.length + 1];
  while (faulty - sound > 1) {
    const middle = Math.floor((sound + faulty) / 2);
    if (isSound(text.slice(0, middle))) sound = middle;
    else faulty = middle;
  }
  return sound;
}

function isSound(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return true;
  } catch (error) {
    const { message } = error as Error;
    return /end of JSON|Unterminated/.test(message) || positionIn(message) === beginning.length;
  }
}

import type { Document } from 'bson';

/** What a command answers when it fails. */
export class CommandError extends Error {
  readonly code: number;
  readonly codeName: string;
  readonly labels: readonly string[];

  constructor(code: number, codeName: string, message: string, labels: readonly string[] = []) {
    super(message);
    this.code = code;
    this.codeName = codeName;
    this.labels = labels;
  }

  get reply(): Document {
    const { code, codeName, message, labels } = this;
    const errorLabels = labels.length > 0 ? { errorLabels: labels } : {};
    return { ok: 0, errmsg: message, code, codeName, ...errorLabels };
  }
}

export const interrupted = (): CommandError =>
  new CommandError(11601, 'Interrupted', 'operation was interrupted');
export const outOfTime = (): CommandError =>
  new CommandError(50, 'MaxTimeMSExpired', 'operation exceeded time limit');
